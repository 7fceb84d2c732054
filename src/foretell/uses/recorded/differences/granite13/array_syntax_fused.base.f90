subroutine update_state(n, u, v, w)
    integer :: n
    real(8) :: u(n), v(n), w(n)
    u = u + 0.1d0 * v
    w = u * v
    v = v - 0.1d0 * w
end subroutine
