! Whole-array expressions, scalar broadcast, array temporaries, intrinsic functions on arrays.
program whole_arrays
  implicit none
  integer, parameter :: n = 12, m = 9
  real(8) :: a(n,m), b(n,m), c(n,m), v(n)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      a(i,j) = i + 0.1d0*j
    end do
  end do
  b = 2.0d0*a + 1.0d0
  c = sqrt(b)*a - b/a
  a = a + b*c
  v = a(:,3)*b(:,4) + c(:,m)
  c(:,1) = v
  c(2,:) = a(3,:)*0.5d0
  b(1:n:2,:) = -c(2:n:2,:)
  a(n:1:-1,1) = v
  print *, a(1,1), b(1,2), c(2,5), v(n)
end program whole_arrays
