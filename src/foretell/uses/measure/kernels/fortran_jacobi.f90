! Five points in two dimensions.
subroutine fortran_jacobi(n, u, v)
  implicit none
  integer(8), intent(in) :: n
  real(8), intent(in) :: u(n, n)
  real(8), intent(inout) :: v(n, n)
  integer(8) :: i, j
!$omp parallel do
  do j = 2, n - 1
    do i = 2, n - 1
      v(i, j) = 0.25d0 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1))
    end do
  end do
end subroutine fortran_jacobi
