subroutine normalise_field(n, a, s)
    integer :: n, i
    real(8) :: a(n), s(1)
    do i = 1, n
        a(i) = a(i) / s(1)
    end do
end subroutine
