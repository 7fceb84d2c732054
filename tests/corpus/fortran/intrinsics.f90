! Math intrinsics by kind, powers, sign, min and max, conversions.
program intrinsics
  implicit none
  integer, parameter :: n = 16
  real(8) :: x(n), y(n), z(n)
  integer :: i, k(n)
  do i = 1, n
    x(i) = 0.1d0*i
    k(i) = mod(i, 3) + 1
  end do
  do i = 1, n
    y(i) = exp(-x(i))*log(1.0d0 + x(i)) + sqrt(x(i))
    z(i) = sin(x(i))**2 + cos(y(i)) + x(i)**1.5d0
  end do
  do i = 1, n
    y(i) = max(abs(y(i)), min(z(i), 1.0d0/x(i)))
    z(i) = sign(z(i), x(i) - 0.8d0) + x(i)**3
  end do
  do i = 1, n
    x(i) = x(i)**k(i) + real(k(i), 8)/2
    k(i) = int(10.0d0*y(i)) + nint(z(i))
  end do
  print *, x(7), y(9), z(4), k(5)
end program intrinsics
