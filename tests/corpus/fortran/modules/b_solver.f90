! Solver module: uses the mesh, renames on USE, private helper.
module solver
  use kinds, only: r8 => wp
  use mesh, only: t, tn, nx, ny, h => dx
  implicit none
  private
  public :: step
contains
  subroutine step(dt)
    real(r8), intent(in) :: dt
    integer :: i, j
    real(r8) :: c
    c = dt/(h*h)
    do j = 1, ny
      do i = 1, nx
        tn(i,j) = t(i,j) + c*(t(i-1,j) + t(i+1,j) + t(i,j-1) + t(i,j+1) - 4.0_r8*t(i,j))
      end do
    end do
    call copy_back()
  end subroutine step
  subroutine copy_back()
    t(1:nx, 1:ny) = tn(1:nx, 1:ny)
  end subroutine copy_back
end module solver
