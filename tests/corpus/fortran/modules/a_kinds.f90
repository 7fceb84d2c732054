! Kinds, sizes and shared fields of the multi-file program.
module kinds
  implicit none
  integer, parameter :: wp = kind(1.0d0)
end module kinds

module mesh
  use kinds
  implicit none
  integer :: nx, ny
  real(wp), allocatable :: t(:,:), tn(:,:)
  real(wp) :: dx = 0.1_wp
contains
  subroutine mesh_create(n, m)
    integer, intent(in) :: n, m
    nx = n
    ny = m
    allocate(t(0:nx+1, 0:ny+1), tn(0:nx+1, 0:ny+1))
    t = 0.0_wp
    tn = 0.0_wp
  end subroutine mesh_create
end module mesh
