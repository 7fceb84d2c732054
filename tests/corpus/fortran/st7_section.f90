! 7-point Jacobi sweep, one array statement with sections.
program st7_section
  implicit none
  integer, parameter :: nx = 7, ny = 8, nz = 6
  real(8), dimension(0:nx+1, 0:ny+1, 0:nz+1) :: u, un
  integer :: i, j, k
  do k = 0, nz + 1
    do j = 0, ny + 1
      do i = 0, nx + 1
        u(i,j,k) = i + 2*j - k
      end do
    end do
  end do
  un = 0.0d0
  un(1:nx,1:ny,1:nz) = (u(1:nx,1:ny,0:nz-1) + u(1:nx,0:ny-1,1:nz) + u(0:nx-1,1:ny,1:nz) &
      + u(2:nx+1,1:ny,1:nz) + u(1:nx,2:ny+1,1:nz) + u(1:nx,1:ny,2:nz+1)) / 6.0d0
  print *, un(1,1,1), un(nx,ny,nz), sum(un)
end program st7_section
