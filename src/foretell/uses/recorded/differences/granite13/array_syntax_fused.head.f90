subroutine update_state(n, u, v, w)
    integer :: n, i
    real(8) :: u(n), v(n), w(n)
    do i = 1, n
        u(i) = u(i) + 0.1d0 * v(i)
        w(i) = u(i) * v(i)
        v(i) = v(i) - 0.1d0 * w(i)
    end do
end subroutine
