subroutine row_totals(m, n, a, r)
    integer :: m, n, i, j
    real(8) :: a(m, n), r(m)
    do i = 1, m
        r(i) = 0.0d0
    end do
    do j = 1, n
        do i = 1, m
            r(i) = r(i) + a(i, j)
        end do
    end do
end subroutine
