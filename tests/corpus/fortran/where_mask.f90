! WHERE statement and construct, ELSEWHERE, MERGE.
program where_mask
  implicit none
  integer, parameter :: n = 10
  real(8) :: t(n,n), q(n,n), r(n,n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      t(i,j) = real(i - j, 8)
    end do
  end do
  q = 0.0d0
  where (t > 0.0d0) q = 1.0d0/t
  where (t >= 2.0d0)
    r = t*t
  elsewhere (t <= -2.0d0)
    r = -t
  elsewhere
    r = 0.5d0
  end where
  q = merge(q, r, t > 1.0d0)
  print *, sum(q), sum(r)
end program where_mask
