! 7-point Jacobi sweep, indexed arrays.
program st7_index
  implicit none
  integer, parameter :: nx = 10, ny = 9, nz = 8
  real(8) :: u(0:nx+1, 0:ny+1, 0:nz+1), un(0:nx+1, 0:ny+1, 0:nz+1)
  integer :: i, j, k
  do k = 0, nz + 1
    do j = 0, ny + 1
      do i = 0, nx + 1
        u(i,j,k) = 0.25d0*i + 0.5d0*j - 0.125d0*k
      end do
    end do
  end do
  do k = 1, nz
    do j = 1, ny
      do i = 1, nx
        un(i,j,k) = (u(i,j,k-1) + u(i,j-1,k) + u(i-1,j,k) + u(i+1,j,k) + u(i,j+1,k) &
                     + u(i,j,k+1)) / 6.0d0
      end do
    end do
  end do
  print *, un(1,1,1), un(nx,ny,nz)
end program st7_index
