! Functions and subroutines: internal, elemental, statement-like; array sections as arguments; explicit shape.
module kernels
  implicit none
contains
  pure function flux(ul, ur) result(f)
    real(8), intent(in) :: ul, ur
    real(8) :: f
    f = 0.5d0*(ul*ul + ur*ur) - 0.25d0*(ur - ul)
  end function flux
  elemental function limiter(r) result(phi)
    real(8), intent(in) :: r
    real(8) :: phi
    phi = max(0.0d0, min(1.0d0, r))
  end function limiter
  subroutine scale_column(x, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, n
      x(i) = s*x(i)
    end do
  end subroutine scale_column
end module kernels

program calls
  use kernels
  implicit none
  integer, parameter :: n = 12
  real(8) :: u(n), f(n), m(n,n), total
  integer :: i, j
  do i = 1, n
    u(i) = 0.2d0*i
  end do
  do i = 1, n - 1
    f(i) = flux(u(i), u(i+1))
  end do
  f(n) = 0.0d0
  u = limiter(u)
  do j = 1, n
    do i = 1, n
      m(i,j) = i - j
    end do
    call scale_column(m(:,j), n, 1.5d0)
  end do
  call scale_column(m(1,3), n, 2.0d0)
  total = 0.0d0
  do i = 1, n
    call accumulate(f(i))
  end do
  print *, f(3), u(7), m(2,3), m(5,5), total
contains
  subroutine accumulate(x)
    real(8), intent(in) :: x
    total = total + x*x
  end subroutine accumulate
end program calls
