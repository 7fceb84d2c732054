! DO WHILE where counted, endless DO with EXIT, CYCLE, named loops.
program whiles
  implicit none
  integer, parameter :: n = 20
  real(8) :: a(n), b(n,n)
  integer :: i, j
  i = 1
  do while (i <= n)
    a(i) = i*0.25d0
    i = i + 1
  end do
  i = n
  do
    if (i < 1) exit
    a(i) = a(i) + 1.0d0
    i = i - 2
  end do
  outer: do j = 1, n
    inner: do i = 1, n
      if (i == j) cycle inner
      if (i > j + 3) cycle outer
      b(i,j) = a(i)*a(j)
    end do inner
  end do outer
  print *, a(5), b(2,3), b(6,4)
end program whiles
