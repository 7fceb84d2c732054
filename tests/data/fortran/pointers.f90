module kernels
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  subroutine scale(x, factor)
    real(real64), intent(inout) :: x(:)
    real(real64), intent(in), optional :: factor
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) * 2
    end do
  end subroutine
  subroutine shifted(x)
    real(real64), intent(inout) :: x(0:)
    x(0) = -1
    x(ubound(x, 1)) = -2
    x(1:2) = x(1:2) + lbound(x, 1)
  end subroutine
  function vector(n) result(v)
    integer, intent(in) :: n
    real(real64) :: v(n)
    integer :: i
    v = [(i * 1.0_real64, i = 1, n)]
  end function
  recursive integer function factorial(n) result(f)
    integer, intent(in) :: n
    if (n <= 1) then
      f = 1
      return
    end if
    f = n * factorial(n - 1)
  end function
end module
program main
  use kernels
  implicit none
  integer, parameter :: n = 5
  real(real64), target :: a(n, n), b(n)
  real(real64), pointer :: p(:), q(:,:)
  real(real64) :: work(2*n)
  integer :: i, j
  a = 1
  b = [(real(i, real64), i = 1, n)]
  p => b
  p(2) = 20
  print *, b(2), p(5)
  p => a(:, 3)
  do i = 1, n
    p(i) = i
  end do
  print *, sum(a), a(2,3), a(3,2)
  q => a
  q(1, 1) = 50
  print *, a(1,1)
  call scale(b)
  print *, b
  call scale(a(:, 2))
  print *, sum(a)
  call shifted(b)
  print *, b
  call shifted(a(2:4, 4))
  print *, a(:, 4)
  work = 0
  work(1:n) = b + vector(n)
  print *, sum(work), factorial(5)
  do j = 1, n
    associate (column => a(:, j))
      column(1) = j
    end associate
  end do
  print *, a(1, :)
end program
