subroutine fsweep(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n
    a(i) = a(i) + 0.5d0 * a(i-1)
  end do
end subroutine
real(c_double) function ask(n, a) bind(c, name="ask")
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: a(n)
  interface
    real(c_double) function norm(n, a) bind(c, name="norm_c")
      import :: c_int, c_double
      integer(c_int), value :: n
      real(c_double), intent(in) :: a(*)
    end function
  end interface
  ask = norm(n, a) + 1
end function
