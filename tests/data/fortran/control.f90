module shapes
  implicit none
  type point
    real(8) :: x = 0, y = 0
    integer :: tag(3)
  end type
  type cloud
    integer :: n
    type(point) :: p(4)
  end type
  interface area
    module procedure area_real, area_int
  end interface
contains
  real(8) function area_real(a, b)
    real(8), intent(in) :: a, b
    area_real = a * b
  end function
  integer function area_int(a, b)
    integer, intent(in) :: a, b
    area_int = a * b
  end function
  elemental real(8) function twice(x)
    real(8), intent(in) :: x
    twice = 2 * x
  end function
  subroutine fill(a, n, first, last)
    integer, intent(in) :: n
    integer, intent(in) :: first, last
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = first, last
      a(i) = i
    end do
  end subroutine
end module
program main
  use shapes
  implicit none
  type(cloud) :: g
  integer :: i, j, k, total, grade(5)
  real(8) :: s, t(10), r(3,3)
  real(8), allocatable :: h(:,:)
  integer :: n = 4
  total = 0
  outer: do i = 1, 10
    inner: do j = 1, 10
      if (j == 3) cycle
      if (i * j > 30) exit outer
      if (j > 6) cycle outer
      total = total + i * j
    end do inner
  end do outer
  print *, total, i, j
  i = 0
  do while (i < 7)
    i = i + 2
  end do
  print *, i
  do
    i = i - 1
    if (mod(i, 3) == 0) exit
  end do
  print *, i, mod(-7, 3), modulo(-7, 3), modulo(7, -3), mod(7.5d0, 2d0), modulo(-7.5d0, 2d0)
  do k = 1, 5
    select case (k)
    case (1)
      grade(k) = 10
    case (2:3)
      grade(k) = 20
    case (5:)
      grade(k) = 50
    case default
      grade(k) = -1
    end select
  end do
  print *, grade
  do i = 10, 1, -3
    if (i < 5) then
      s = i
    else if (i < 8) then
      s = i * 2
    else
      s = i * 3
    end if
    print *, s
  end do
  g%n = 4
  do i = 1, g%n
    g%p(i)%x = i
    g%p(i)%y = -i
    g%p(i)%tag = i
    g%p(i)%tag(2) = 7
  end do
  print *, sum(g%p(:)%x), g%p(2)%y, g%p(3)%tag
  print *, area(2d0, 3d0), area(2, 3), twice(4d0), twice(g%p%x)
  allocate(h(0:n, 2))
  h = 1
  h(0,:) = 5
  print *, sum(h), size(h), lbound(h, 1), ubound(h, 1)
  associate (x => g%p(1), y => h(:,2), z => 2 * n)
    x%x = 100
    y(2) = z
    print *, g%p(1)%x, h(1,2), sum(y)
  end associate
  t = 0
  call fill(t, 10, last=5, first=3)
  call fill(t(6:), 5, 1, 2)
  print *, t
  block
    integer :: i
    i = 99
    print *, i
  end block
  print *, i, min(3, 1, 2), max(1d0, 2d0), sign(3, -1), sign(2.5d0, -0.1d0), abs(-3), nint(2.5d0), int(-2.7d0)
  print *, floor(-2.5d0), ceiling(2.1d0), aint(2.9d0), anint(2.5d0), iand(12, 10), ior(12, 10), ieor(12, 10)
  print *, ishft(1, 4), ishft(16, -2), btest(5, 2), 7 / 2, -7 / 2, 2**10, 2d0**(-2), 5 / 2 * 2.0
  print *, 1.5e0 == 1.5d0, .not. (1 > 2) .and. .true. .or. .false., (1 < 2) .eqv. (2 < 1), 1 /= 2
  r = 0
  do i = 1, 3
    r(i,i) = 1
  end do
  r(:, 2) = r(:, 1) + 1
  print *, r, host(3)
contains
  integer function host(q)
    integer, intent(in) :: q
    integer :: i
    i = 5
    host = q * n + i
  end function
end program
