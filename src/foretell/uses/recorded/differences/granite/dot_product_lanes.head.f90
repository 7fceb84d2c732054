subroutine inner_value(n, a, b, s)
    integer :: n, i
    real(8) :: a(n), b(n), s(1), p, q
    p = 0.0d0
    q = 0.0d0
    do i = 1, n - 1, 2
        p = p + a(i) * b(i)
        q = q + a(i + 1) * b(i + 1)
    end do
    s(1) = p + q
end subroutine
