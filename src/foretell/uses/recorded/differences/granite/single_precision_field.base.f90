subroutine relax_field(n, a, b)
    integer :: n, i
    real(8) :: a(0:n + 1), b(0:n + 1)
    do i = 1, n
        b(i) = 0.5d0 * (a(i - 1) + a(i + 1))
    end do
end subroutine
