! C = A + B with directives, in Fortran: the last dimension is the slowest.
subroutine vector_add(n, m, a, b, c)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(m, n), b(m, n)
  real(8), intent(out) :: c(m, n)
  integer :: i, j
  !$acc parallel loop copyin(a, b) copyout(c)
  do i = 1, n
    do j = 1, m
      c(j, i) = a(j, i) + b(j, i)
    end do
  end do
end subroutine vector_add
