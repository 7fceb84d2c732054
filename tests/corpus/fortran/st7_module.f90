! 7-point Jacobi sweep in a module procedure with assumed-shape dummies that carry their own lower bounds.
module stencil
  implicit none
  integer, parameter :: dp = selected_real_kind(15)
contains
  subroutine sweep(u, un, nx, ny, nz)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(0:, 0:, 0:)
    real(dp), intent(out) :: un(0:, 0:, 0:)
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          un(i,j,k) = (u(i,j,k-1) + u(i,j-1,k) + u(i-1,j,k) + u(i+1,j,k) + u(i,j+1,k) + u(i,j,k+1)) / 6.0_dp
        end do
      end do
    end do
  end subroutine sweep
end module stencil

program st7_module
  use stencil, only: sweep, dp
  implicit none
  real(dp), allocatable :: u(:,:,:), un(:,:,:)
  integer :: n
  n = 8
  allocate(u(0:n+1,0:n+1,0:n+1), un(0:n+1,0:n+1,0:n+1))
  u = 1.5_dp
  u(3,3,3) = 7.0_dp
  un = 0.0_dp
  call sweep(u, un, n, n, n)
  print *, un(2,3,3), un(4,4,4)
  deallocate(u, un)
end program st7_module
