! Slices of arrays.
subroutine fortran_slices(n, u, v)
  implicit none
  integer(8), intent(in) :: n
  real(8), intent(in) :: u(n, n)
  real(8), intent(inout) :: v(n, n)
  v(2:n-1, 2:n-1) = 0.5d0 * u(2:n-1, 2:n-1) + 0.125d0 * (u(1:n-2, 2:n-1) + u(3:n, 2:n-1) + u(2:n-1, 1:n-2) + u(2:n-1, 3:n))
end subroutine fortran_slices
