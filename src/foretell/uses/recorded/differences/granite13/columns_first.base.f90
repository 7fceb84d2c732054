subroutine field_scale(n, a, b)
    integer :: n, i, j
    real(8) :: a(n, n), b(n, n)
    do i = 1, n
        do j = 1, n
            b(i, j) = 2.0d0 * a(i, j)
        end do
    end do
end subroutine
