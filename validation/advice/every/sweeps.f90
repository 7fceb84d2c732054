! Small subroutines in the styles of public Fortran codes, all of whose changes are predicted, run and measured. They and
! their halves were fixed before anything of them was predicted.

! n = 400
! data: double u[n*n], unew[n*n]
! call: jacobi_rows_(&n, u, unew)
subroutine jacobi_rows(n, u, unew)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n, n)
  real(8), intent(inout) :: unew(n, n)
  integer :: i, j
  do i = 2, n - 1
    do j = 2, n - 1
      unew(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
    end do
  end do
end subroutine jacobi_rows

! n = 200
! data: double a[n*n], b[n*n], c[n*n]
! call: product_rows_(&n, a, b, c)
subroutine product_rows(n, a, b, c)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(inout) :: c(n, n)
  integer :: i, j, k
  do i = 1, n
    do j = 1, n
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine product_rows

! n = 60
! data: double q[n*n*n], fx[n*n*n], fy[n*n*n]
! call: face_values_(&n, q, fx, fy)
subroutine face_values(n, q, fx, fy)
  integer, intent(in) :: n
  real(8), intent(in) :: q(n, n, n)
  real(8), intent(inout) :: fx(n, n, n), fy(n, n, n)
  integer :: i, j, k
  do k = 1, n
    do j = 1, n - 1
      do i = 1, n - 1
        fx(i, j, k) = 0.5d0 * (q(i, j, k) + q(i + 1, j, k))
        fy(i, j, k) = 0.5d0 * (q(i, j, k) + q(i, j + 1, k))
      end do
    end do
  end do
end subroutine face_values

! n = 100000
! data: double rho[n], e[n], p[n], c[n]
! call: equation_of_state_(&n, rho, e, p, c)
subroutine equation_of_state(n, rho, e, p, c)
  integer, intent(in) :: n
  real(8), intent(in) :: rho(n), e(n)
  real(8), intent(inout) :: p(n), c(n)
  real(8) :: gamma
  integer :: i
  gamma = 1.4d0
  do i = 1, n
    p(i) = (gamma - 1.0d0) * rho(i) * e(i)
  end do
  do i = 1, n
    c(i) = p(i) / gamma
  end do
end subroutine equation_of_state

! n = 700
! data: double t[n*n], q[n*n], s[n]
! call: column_means_(&n, t, q, s)
subroutine column_means(n, t, q, s)
  integer, intent(in) :: n
  real(8), intent(in) :: t(n, n), q(n, n)
  real(8), intent(inout) :: s(n)
  integer :: i, k
  do i = 1, n
    do k = 1, n
      s(i) = s(i) + 0.001d0 * t(i, k) * q(i, k)
    end do
  end do
end subroutine column_means

! n = 300
! data: double a[n*n], b[n*n], r[n*n]
! call: divergence_(&n, a, b, r)
subroutine divergence(n, a, b, r)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(inout) :: r(n, n)
  integer :: i, j
  do j = 2, n
    do i = 2, n
      r(i, j) = a(i, j) - a(i - 1, j)
      r(i, j) = r(i, j) + (b(i, j) - b(i, j - 1)) / 3.0d0
    end do
  end do
end subroutine divergence

! n = 250
! data: double l[n*n], x[n*n]
! call: forward_columns_(&n, l, x)
subroutine forward_columns(n, l, x)
  integer, intent(in) :: n
  real(8), intent(in) :: l(n, n)
  real(8), intent(inout) :: x(n, n)
  integer :: i, j, k
  do i = 1, n
    do k = 1, i - 1
      do j = 1, n
        x(i, j) = x(i, j) - 0.001d0 * l(i, k) * x(k, j)
      end do
    end do
  end do
end subroutine forward_columns

! n = 180
! data: double u[n*n*2], d[n*n]
! call: curl_(&n, u, d)
subroutine curl(n, u, d)
  integer, intent(in) :: n
  real(8), intent(in) :: u(2, n, n)
  real(8), intent(inout) :: d(n, n)
  integer :: i, j
  do i = 1, n - 1
    do j = 1, n - 1
      d(i, j) = u(2, i + 1, j) - u(2, i, j) - u(1, i, j + 1) + u(1, i, j)
    end do
  end do
end subroutine curl
