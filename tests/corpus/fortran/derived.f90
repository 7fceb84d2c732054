! Derived types: components that are arrays, allocatable components, arrays of derived types, nested types.
module types
  implicit none
  type :: vector
    real(8) :: x, y
  end type vector
  type :: field
    integer :: n
    real(8), allocatable :: u(:,:)
    real(8) :: edge(4)
  end type field
  type :: body
    type(vector) :: pos, vel
    real(8) :: mass
  end type body
contains
  subroutine relax(f)
    type(field), intent(inout) :: f
    integer :: i, j
    do j = 2, f%n - 1
      do i = 2, f%n - 1
        f%u(i,j) = 0.25d0*(f%u(i-1,j) + f%u(i+1,j) + f%u(i,j-1) + f%u(i,j+1))
      end do
    end do
  end subroutine relax
  subroutine move(b, n, dt)
    integer, intent(in) :: n
    type(body), intent(inout) :: b(n)
    real(8), intent(in) :: dt
    integer :: i
    do i = 1, n
      b(i)%pos%x = b(i)%pos%x + dt*b(i)%vel%x
      b(i)%pos%y = b(i)%pos%y + dt*b(i)%vel%y
    end do
  end subroutine move
end module types

program derived
  use types
  implicit none
  type(field) :: f
  type(body) :: b(8)
  real(8) :: e
  integer :: i, j
  f%n = 10
  allocate(f%u(f%n, f%n))
  do j = 1, f%n
    do i = 1, f%n
      f%u(i,j) = i*j
    end do
  end do
  do i = 1, 4
    f%edge(i) = 0.5d0*i
  end do
  f%u(1,:) = f%edge(2)
  call relax(f)
  do i = 1, 8
    b(i)%pos%x = i
    b(i)%pos%y = 0.0d0
    b(i)%vel%x = 1.0d0
    b(i)%vel%y = -2.0d0
    b(i)%mass = 1.0d0 + i
  end do
  call move(b, 8, 0.1d0)
  e = 0.0d0
  do i = 1, 8
    e = e + 0.5d0*b(i)%mass*(b(i)%vel%x**2 + b(i)%vel%y**2)
  end do
  print *, f%u(5,5), b(3)%pos%x, e
end program derived
