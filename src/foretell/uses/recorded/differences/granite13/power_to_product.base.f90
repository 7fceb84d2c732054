subroutine energy_terms(n, v, e)
    integer :: n, i
    real(8) :: v(n), e(n)
    do i = 1, n
        e(i) = 0.5d0 * v(i)**1.5d0
    end do
end subroutine
