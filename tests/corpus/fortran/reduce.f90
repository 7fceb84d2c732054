! Reductions: SUM, MAXVAL, MINVAL, DOT_PRODUCT, with sections, masks and DIM.
program reduce
  implicit none
  integer, parameter :: n = 14
  real(8) :: a(n,n), x(n), y(n), s, t, big
  integer :: i, j
  do j = 1, n
    x(j) = j*0.5d0
    y(j) = 1.0d0 - j
    do i = 1, n
      a(i,j) = 1.0d0/(i + j)
    end do
  end do
  s = sum(a)
  t = dot_product(x, y)
  big = maxval(abs(a - 0.1d0))
  s = s + sum(x*y) + sum(a(:,2))
  t = t + minval(y(2:n-1))
  s = s + sum(a, mask=a > 0.1d0)
  do j = 1, n
    y(j) = dot_product(a(:,j), x)
  end do
  print *, s, t, big, y(3)
end program reduce
