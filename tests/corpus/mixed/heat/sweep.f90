! One Jacobi sweep with its residual; scales the first interior row through a C function.
subroutine fsweep(nx, ny, u, un, residual)
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(in) :: u(0:nx+1, 0:ny+1)
  real(8), intent(inout) :: un(0:nx+1, 0:ny+1)
  real(8), intent(out) :: residual
  external :: cscale
  integer :: i, j
  residual = 0.0d0
  do j = 1, ny
    do i = 1, nx
      un(i,j) = 0.25d0*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1))
      residual = residual + (un(i,j) - u(i,j))**2
    end do
  end do
  call cscale(un(1,1), nx, 0.5d0)
end subroutine fsweep
