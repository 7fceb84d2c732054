module shared_data
  implicit none
  integer, parameter :: rk = kind(1.0d0)
  real(rk), allocatable :: field(:,:)
  real(rk), save :: scale_factor = 2.0_rk
  integer :: calls = 0
  type :: particle
    real(rk) :: pos(3), mass
  contains
    procedure :: energy
    procedure :: move => move_particle
  end type
  interface operator(.dot.)
    module procedure dot
  end interface
  abstract interface
    real(rk) function scalar_function(x)
      import :: rk
      real(rk), intent(in) :: x
    end function
  end interface
contains
  real(rk) function dot(a, b)
    real(rk), intent(in) :: a(3), b(3)
    dot = sum(a * b)
  end function
  real(rk) function energy(self)
    class(particle), intent(in) :: self
    energy = 0.5_rk * self%mass * sum(self%pos**2)
  end function
  subroutine move_particle(self, dx)
    class(particle), intent(inout) :: self
    real(rk), intent(in) :: dx(3)
    self%pos = self%pos + dx
    calls = calls + 1
  end subroutine
  real(rk) function square(x)
    real(rk), intent(in) :: x
    square = x * x
  end function
  real(rk) function integrate(f, lo, hi, n) result(total)
    procedure(scalar_function) :: f
    real(rk), intent(in) :: lo, hi
    integer, intent(in) :: n
    integer :: i
    real(rk) :: h
    h = (hi - lo) / n
    total = 0
    do i = 1, n
      total = total + f(lo + (i - 0.5_rk) * h) * h
    end do
  end function
  subroutine smooth(a)
    real(rk), intent(inout) :: a(:,:)
    real(rk) :: work(size(a,1), size(a,2))
    integer :: i, j
    work = a
    do concurrent (j = 2:size(a,2)-1, i = 2:size(a,1)-1, mod(i+j, 2) == 0)
      work(i,j) = 0.25_rk * (a(i-1,j) + a(i+1,j) + a(i,j-1) + a(i,j+1))
    end do
    a = work
  end subroutine
  elemental subroutine clip(x, low)
    real(rk), intent(inout) :: x
    real(rk), intent(in) :: low
    if (x < low) x = low
  end subroutine
end module
program main
  use shared_data
  implicit none
  type(particle) :: p, cloud(4)
  integer :: i, j, n, ierr
  real(rk) :: t(6), m(3,3), s, r(2,3)
  real(rk), dimension(3) :: e = 0
  character(len=8) :: word = 'abc'
  logical :: done
  n = 6
  allocate(field(n, 0:n), stat=ierr)
  do j = 0, n
    field(:, j) = [(real(i + 10*j, rk), i = 1, n)]
  end do
  call smooth(field(:, 1:5))
  print *, sum(field), field(2,2), field(3,3), size(field), shape(field)
  p%pos = [1d0, 2d0, 3d0]
  p%mass = scale_factor
  call p%move([1d0, 1d0, 1d0])
  print *, p%energy(), p%pos, calls
  do i = 1, 4
    cloud(i)%pos = i
    cloud(i)%mass = 1
  end do
  print *, sum(cloud%mass), cloud(3)%pos(2), sum(cloud(2:3)%pos(1))
  print *, integrate(square, 0d0, 3d0, 30)
  t = [3d0, -1d0, 4d0, -1d0, 5d0, -9d0]
  call clip(t, 0d0)
  print *, t
  m = 0
  forall (i = 1:3) m(i,i) = i
  m(1,2:3) = [7, 8]
  print *, matmul(m, m), matmul(m, [1d0, 2d0, 3d0]), dot_product(m(:,1), m(:,3))
  s = 0
  search: do i = 1, 3
    do j = 1, 3
      if (m(i,j) == 8) then
        s = 10*i + j
        exit search
      end if
    end do
  end do search
  print *, s, i, j
  done = .false.
  ierr = 0
  do while (.not. done .and. ierr < 100)
    ierr = ierr + 7
    if (mod(ierr, 5) == 0) done = .true.
  end do
  print *, ierr
  r = reshape_by_hand(t)
  print *, r
  print *, any(r > 4) .and. all(r >= 0), count(r > 0, dim=1), maxval(r, dim=2), minval(r, mask=r > 0)
  associate (first => cloud(1), sub => m(1:2, 2:3))
    first%mass = sub(1, 2)
    sub = sub + 1
  end associate
  print *, cloud(1)%mass, m
  block
    real(rk) :: e(2)
    e = [5, 6]
    print *, e
  end block
  e(::2) = 1
  print *, e, sum(field(1:n:2, 3)), product([1, 2, 3, 4])
  if (allocated_size() > 0) print *, allocated_size()
  where (m > 2)
    where (m < 8)
      m = 0
    elsewhere
      m = 100
    end where
  end where
  print *, m
  m(:, [3, 1, 2]) = m
  print *, m
  m(2:3, :) = m(1:2, :)
  print *, m
  m = transpose(m)
  print *, m
contains
  function reshape_by_hand(v) result(w)
    real(rk), intent(in) :: v(:)
    real(rk) :: w(2,3)
    integer :: a, b
    do b = 1, 3
      do a = 1, 2
        w(a, b) = v(a + 2*(b-1))
      end do
    end do
  end function
  integer function allocated_size()
    allocated_size = size(field, 1) * n
  end function
end program
