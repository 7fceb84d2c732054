subroutine row_totals(m, n, a, r)
    integer :: m, n, i, j
    real(8) :: a(m, n), r(m), s
    do i = 1, m
        s = 0.0d0
        do j = 1, n
            s = s + a(i, j)
        end do
        r(i) = s
    end do
end subroutine
