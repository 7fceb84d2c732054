subroutine normalise_field(n, a, s)
    integer :: n, i
    real(8) :: a(n), s(1), r
    r = 1.0d0 / s(1)
    do i = 1, n
        a(i) = a(i) * r
    end do
end subroutine
