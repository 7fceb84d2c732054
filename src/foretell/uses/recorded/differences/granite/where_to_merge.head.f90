subroutine keep_positive(n, a, b)
    integer :: n, i
    real(8) :: a(n), b(n)
    do i = 1, n
        b(i) = max(a(i), 1.0d0) - 1.0d0
    end do
end subroutine
