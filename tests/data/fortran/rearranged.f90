program rearranged
  implicit none
  integer :: i, k
  real(8) :: x(12), a(3,4), b(2,6), c(2,3,2), y(12), z(4,3), w(6)
  integer :: m(2,2)
  do i = 1, 12
    x(i) = sin(1.0d0 * i)
  end do
  a = reshape(x, (/ 3, 4 /))
  print *, a(2,3), a(3,1), sum(a(1,:))
  b = reshape(a, [2, 6])
  print *, b(1,4), b(2,6), sum(b(2,:))
  c = reshape(source=2.0d0 * a, shape=[2, 3, 2]) + 1.0d0
  print *, c(1,2,1), c(2,3,2), sum(c)
  y = reshape(c, [12])
  print *, y(1), y(7), y(12)
  w = reshape(x(2:12:2), [6])
  print *, w(1), w(6)
  m = reshape([1, 2, 3, 4], [2, 2])
  print *, m(1,2), m(2,1)
  z = transpose(reshape(x, [3, 4]))
  print *, z(4,1), z(1,3)
  k = count(x > 0.0d0)
  y = -1.0d0
  y(1:k) = pack(x, x > 0.0d0)
  print *, k, y(1), y(k), y(k+1)
  y(1:12) = pack(a, .true.)
  print *, y(2), y(11)
  print *, sum(pack(a, a < 0.5d0)), size(x)
end program rearranged
