module grids
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307)
  integer, parameter :: n = 6
  real(dp) :: coefficient = 0.25_dp
contains
  subroutine sweep(u, un, nx, ny, nz)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(0:nx+1, 0:ny+1, 0:nz+1)
    real(dp), intent(out) :: un(0:nx+1, 0:ny+1, 0:nz+1)
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          un(i,j,k) = (u(i-1,j,k) + u(i+1,j,k) + u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1)) / 6.0_dp
        end do
      end do
    end do
  end subroutine sweep
  subroutine sections(u, un, nx, ny, nz)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(0:nx+1, 0:ny+1, 0:nz+1)
    real(dp), intent(out) :: un(0:nx+1, 0:ny+1, 0:nz+1)
    un(1:nx,1:ny,1:nz) = (u(0:nx-1,1:ny,1:nz) + u(2:nx+1,1:ny,1:nz) + u(1:nx,0:ny-1,1:nz) &
        + u(1:nx,2:ny+1,1:nz) + u(1:nx,1:ny,0:nz-1) + u(1:nx,1:ny,2:nz+1)) / 6.0_dp
  end subroutine sections
  pure real(dp) function start(i, j, k) result(value)
    integer, intent(in) :: i, j, k
    value = real(i, dp) + 0.5_dp * j**2 - 0.25_dp * real(k*j, dp)
  end function start
end module grids
program main
  use grids, only: dp, n, sweep, sections, start, c => coefficient
  implicit none
  real(dp) :: a(0:n+1,0:n+1,0:n+1), b(0:n+1,0:n+1,0:n+1), d(0:n+1,0:n+1,0:n+1)
  integer :: i, j, k
  do concurrent (k = 0:n+1, j = 0:n+1, i = 0:n+1)
    a(i,j,k) = start(i, j, k)
  end do
  b = 0
  d = 0
  call sweep(a, b, n, n, n)
  call sections(a, d, n, n, n)
  print *, sum(b), maxval(abs(b - d)), c
  print *, b(1,2,3), d(6,5,4), minval(b), count(b > 3.0_dp)
end program main
