! Imperfect nests: tridiagonal solves along both directions, work arrays, scalar recurrences.
program imperfect
  implicit none
  integer, parameter :: n = 11
  real(8) :: u(n,n), a(n), b(n), c(n), d(n), cp(n), m
  integer :: i, j
  do j = 1, n
    do i = 1, n
      u(i,j) = sin(0.3d0*i) + 0.1d0*j
    end do
  end do
  a = -1.0d0
  b = 4.0d0
  c = -1.0d0
  do j = 1, n
    cp(1) = c(1)/b(1)
    d(1) = u(1,j)/b(1)
    do i = 2, n
      m = 1.0d0/(b(i) - a(i)*cp(i-1))
      cp(i) = c(i)*m
      d(i) = (u(i,j) - a(i)*d(i-1))*m
    end do
    u(n,j) = d(n)
    do i = n - 1, 1, -1
      u(i,j) = d(i) - cp(i)*u(i+1,j)
    end do
  end do
  print *, u(1,1), u(n,n), u(4,7)
end program imperfect
