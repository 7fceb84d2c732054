! Loops of weather, ocean and chemistry codes in the style of several decades.

subroutine advect(nx, ny, nz, dt, u, v, w, t, tn)
  implicit none
  integer, intent(in) :: nx, ny, nz
  real(8), intent(in) :: dt, u(nx, ny, nz), v(nx, ny, nz), w(nx, ny, nz), t(nx, ny, nz)
  real(8), intent(out) :: tn(nx, ny, nz)
  integer :: i, j, k
  do k = 2, nz - 1
    do j = 2, ny - 1
      do i = 2, nx - 1
        tn(i, j, k) = t(i, j, k) - dt * (u(i, j, k) * (t(i + 1, j, k) - t(i - 1, j, k)) &
          + v(i, j, k) * (t(i, j + 1, k) - t(i, j - 1, k)) + w(i, j, k) * (t(i, j, k + 1) - t(i, j, k - 1)))
      end do
    end do
  end do
end subroutine advect

! A tridiagonal system in each column: recurrences along k, independent columns innermost.
subroutine implicit_columns(n, nz, a, b, c, d, x, gam, bet)
  implicit none
  integer, intent(in) :: n, nz
  real(8), intent(in) :: a(n, nz), b(n, nz), c(n, nz), d(n, nz)
  real(8), intent(inout) :: x(n, nz), gam(n, nz), bet(n)
  integer :: i, k
  bet(:) = b(:, 1)
  x(:, 1) = d(:, 1) / bet(:)
  do k = 2, nz
    do i = 1, n
      gam(i, k) = c(i, k - 1) / bet(i)
      bet(i) = b(i, k) - a(i, k) * gam(i, k)
      x(i, k) = (d(i, k) - a(i, k) * x(i, k - 1)) / bet(i)
    end do
  end do
  do k = nz - 1, 1, -1
    x(:, k) = x(:, k) - gam(:, k + 1) * x(:, k + 1)
  end do
end subroutine implicit_columns

real(8) function array_norm(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  array_norm = sqrt(sum((x - y)**2)) + maxval(abs(x))
end function array_norm

subroutine masked_update(n, m, mask, h, eta)
  implicit none
  integer, intent(in) :: n, m
  integer, intent(in) :: mask(n, m)
  real(8), intent(inout) :: h(n, m)
  real(8), intent(in) :: eta(n, m)
  where (mask > 0)
    h = 0.5d0 * (h + eta)
  elsewhere
    h = 0.0d0
  end where
end subroutine masked_update

subroutine intrinsic_product(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(4), intent(in) :: a(n, n), b(n, n)
  real(4), intent(out) :: c(n, n)
  c = matmul(a, transpose(b))
end subroutine intrinsic_product

! Rates of reactions with an exponential of temperature, then sums over species.
subroutine reaction_rates(cells, reactions, t, ea, pre, conc, rate)
  implicit none
  integer, intent(in) :: cells, reactions
  real(8), intent(in) :: t(cells), ea(reactions), pre(reactions), conc(cells, reactions)
  real(8), intent(inout) :: rate(cells)
  integer :: i, r
  do r = 1, reactions
    do i = 1, cells
      rate(i) = 0.5d0 * rate(i) + pre(r) * exp(-ea(r) / t(i)) * conc(i, r)
    end do
  end do
end subroutine reaction_rates
