program main
  implicit none
  integer, parameter :: n = 7, m = 5
  real(8) :: a(n,m), b(n,m), v(n), w(m), c(m,n), q(0:n-1)
  integer :: idx(3) = 0, i, j
  logical :: mask(n,m)
  complex(8) :: z(3)
  do j = 1, m
    do i = 1, n
      a(i,j) = i * 1.5d0 - j
    end do
  end do
  b = 2.0d0 * a + 1
  print *, b(3,4), sum(a), sum(a, mask=a > 2), product(a(1:3,1)), dot_product(a(:,1), b(:,2))
  v = sum(a, dim=2)
  w = maxval(b, 1)
  print *, v, w
  c = transpose(a)
  print *, c(2,3), sum(c(2,:))
  v(2:n) = v(1:n-1)
  print *, v
  v(1:n-1) = v(2:n) + v(1:n-1)
  print *, v
  v(n:1:-1) = v
  print *, v
  q = v
  q(1:5:2) = q(0:4:2) * 2
  print *, q
  where (a > 1)
    b = a
  elsewhere (a < -1)
    b = -a
  elsewhere
    b = 0
  end where
  print *, sum(b), b(1,1), b(2,3), b(7,5)
  where (b > 2) a = sqrt(b)
  print *, sum(a)
  where (a > 1) a = a - 1
  mask = a > 0
  print *, count(mask), any(mask), all(mask), count(mask(:,2)), any(a > 100)
  idx = [3, 1, 2]
  print *, a(idx, 2), v(idx)
  a(idx, 3) = [10d0, 20d0, 30d0]
  print *, a(1:4,3)
  b = matmul(a, reshape_free())
  print *, sum(b), b(2,2)
  w = matmul(c, v)
  print *, w
  forall (i = 1:n, j = 1:m, i /= j) a(i,j) = real(i*j, 8)
  print *, sum(a)
  v = [(real(i*i, 8), i = 1, n)]
  print *, v, norm2(v), maxloc(v), minloc(v, 1)
  z = [(1d0, 2d0), (0d0, 1d0), (3d0, 0d0)]
  z = z * conjg(z) + (1d0, 0d0)
  print *, z(1), abs(z(2)), aimag(z(1) * (0d0, 1d0)), real(z(3))
  print *, size(a), size(a, 2), lbound(q, 1), ubound(q, 1), merge(1, 2, a(1,1) > 0)
  print *, sum(merge(a, b, a > b)), spread(v(1:2), 2, 2)
  print *, [1d0, v(1:2), 5d0]
contains
  function reshape_free() result(r)
    real(8) :: r(5,5)
    integer :: p, q
    do q = 1, 5
      do p = 1, 5
        r(p,q) = p - 0.5d0 * q
      end do
    end do
  end function
end program
