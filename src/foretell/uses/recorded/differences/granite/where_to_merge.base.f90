subroutine keep_positive(n, a, b)
    integer :: n, i
    real(8) :: a(n), b(n)
    do i = 1, n
        if (a(i) > 1.0d0) then
            b(i) = a(i)
        else
            b(i) = 0.0d0
        end if
    end do
end subroutine
