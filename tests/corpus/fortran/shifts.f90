! CSHIFT and EOSHIFT stencils, TRANSPOSE.
program shifts
  implicit none
  integer, parameter :: n = 9
  real(8) :: u(n,n), v(n,n), w(n,n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      u(i,j) = mod(i*j, 7)
    end do
  end do
  v = cshift(u, 1, 1) + cshift(u, -1, 1) + cshift(u, shift=1, dim=2) + cshift(u, shift=-1, dim=2) - 4.0d0*u
  w = eoshift(v, 1, dim=1) - v
  u = 0.5d0*(v + transpose(w))
  print *, u(1,1), v(n,n), w(n,3)
end program shifts
