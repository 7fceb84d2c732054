subroutine inner_value(n, a, b, s)
    integer :: n
    real(8) :: a(n), b(n), s(1)
    s(1) = dot_product(a, b)
end subroutine
