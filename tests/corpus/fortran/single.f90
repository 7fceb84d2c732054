! Single precision, mixed kinds, integer arrays, logical masks in loops.
program single
  implicit none
  integer, parameter :: n = 14
  real :: s(n)
  double precision :: d(n)
  integer :: k(n), i
  logical :: active(n)
  do i = 1, n
    s(i) = 0.5*i
    k(i) = i/3
    active(i) = mod(i, 2) == 0
  end do
  do i = 1, n
    d(i) = s(i)*2.0d0 + k(i)
  end do
  do i = 1, n
    if (active(i)) d(i) = d(i) + s(i)
  end do
  do i = 1, n
    k(i) = k(i)*2 + 1
    s(i) = real(d(i))/k(i)
  end do
  print *, s(6), d(7), k(8)
end program single
