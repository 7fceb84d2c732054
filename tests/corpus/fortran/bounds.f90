! Explicit-shape dummies with lower bounds, two-sided ghost zones, loop bounds from arguments, optional-like sizes.
subroutine advance(x_min, x_max, y_min, y_max, density, energy, flux)
  implicit none
  integer, intent(in) :: x_min, x_max, y_min, y_max
  real(8), dimension(x_min-2:x_max+2, y_min-2:y_max+2), intent(inout) :: density, energy
  real(8), dimension(x_min-2:x_max+3, y_min-2:y_max+2), intent(in) :: flux
  integer :: j, k
  real(8) :: mass
!$omp parallel do private(j, mass)
  do k = y_min, y_max
!$omp simd
    do j = x_min, x_max
      mass = density(j,k)*0.5d0
      density(j,k) = density(j,k) + flux(j,k) - flux(j+1,k)
      energy(j,k) = (energy(j,k)*mass + flux(j,k))/(mass + density(j,k))
    end do
  end do
!$omp end parallel do
end subroutine advance

subroutine halo(x_min, x_max, y_min, y_max, depth, f)
  implicit none
  integer :: x_min, x_max, y_min, y_max, depth, j, k
  real(8) :: f(x_min-2:x_max+2, y_min-2:y_max+2)
  do k = 1, depth
    do j = x_min - depth, x_max + depth
      f(j, 1-k) = f(j, 0+k)
      f(j, y_max+k) = f(j, y_max+1-k)
    end do
  end do
end subroutine halo

program bounds
  implicit none
  integer, parameter :: nx = 9, ny = 7
  real(8) :: density(-1:nx+2, -1:ny+2), energy(-1:nx+2, -1:ny+2), flux(-1:nx+3, -1:ny+2)
  integer :: j, k
  do k = -1, ny + 2
    do j = -1, nx + 3
      flux(j,k) = 0.01d0*j
    end do
  end do
  density = 1.0d0
  energy = 2.5d0
  call advance(1, nx, 1, ny, density, energy, flux)
  call halo(1, nx, 1, ny, 2, density)
  print *, density(3,3), energy(4,4), density(0,-1)
end program bounds
