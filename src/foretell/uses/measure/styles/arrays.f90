! Array notation, derived types and searches as Fortran codes write them.

subroutine shallow_step(n, m, dt, h, u, v, hn)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: dt, h(n, m), u(n, m), v(n, m)
  real(8), intent(inout) :: hn(n, m)
  hn(2:n-1, 2:m-1) = h(2:n-1, 2:m-1) - dt * (h(3:n, 2:m-1) * u(3:n, 2:m-1) - h(1:n-2, 2:m-1) * u(1:n-2, 2:m-1) &
    + h(2:n-1, 3:m) * v(2:n-1, 3:m) - h(2:n-1, 1:m-2) * v(2:n-1, 1:m-2))
end subroutine shallow_step

subroutine concurrent_heat(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(out) :: b(n, n)
  integer :: i, j
  do concurrent (j = 2:n-1, i = 2:n-1)
    b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
  end do
end subroutine concurrent_heat

subroutine factor_columns(n, from, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: from(n, n)
  real(8), intent(inout) :: a(n, n)
  integer :: j, k
  a = from
  do k = 1, n - 1
    a(k+1:n, k) = a(k+1:n, k) / a(k, k)
    do j = k + 1, n
      a(k+1:n, j) = a(k+1:n, j) - a(k, j) * a(k+1:n, k)
    end do
  end do
end subroutine factor_columns

integer function count_between(n, x, low, high)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), low, high
  count_between = count(x > low .and. x < high)
end function count_between

subroutine shifted_mean(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  y = (cshift(x, -1) + x + cshift(x, 1)) / 3.0d0
end subroutine shifted_mean

real(8) function state_energy(n, kind, t)
  implicit none
  integer, intent(in) :: n, kind(n)
  real(8), intent(in) :: t(n)
  integer :: i
  state_energy = 0.0d0
  do i = 1, n
    select case (kind(i))
    case (1)
      state_energy = state_energy + 1.5d0 * t(i)
    case (2)
      state_energy = state_energy + 2.5d0 * t(i) + 0.1d0 * t(i)**2
    case default
      state_energy = state_energy + 3.0d0 * t(i) - 0.5d0
    end select
  end do
end function state_energy
