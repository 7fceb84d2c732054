! DO CONCURRENT: one index, two indices, a mask, a step.
program concurrent
  implicit none
  integer, parameter :: n = 11
  real(8) :: a(n,n), b(n,n), c(n)
  integer :: i, j
  do concurrent (j = 1:n, i = 1:n)
    a(i,j) = i*0.5d0 + j
  end do
  do concurrent (i = 2:n-1)
    c(i) = a(i-1,3) + a(i+1,3)
  end do
  c(1) = 0.0d0
  c(n) = 0.0d0
  b = 0.0d0
  do concurrent (j = 1:n, i = 1:n, i /= j)
    b(i,j) = a(i,j) - c(i)
  end do
  do concurrent (i = 1:n:3)
    c(i) = c(i)*2.0d0
  end do
  print *, a(2,3), b(4,5), c(4), b(6,6)
end program concurrent
