subroutine relax_field(n, a, b)
    integer :: n, i
    real(4) :: a(0:n + 1), b(0:n + 1)
    do i = 1, n
        b(i) = 0.5 * (a(i - 1) + a(i + 1))
    end do
end subroutine
