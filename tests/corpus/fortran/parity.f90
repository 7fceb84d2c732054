! Red-black sweeps: parity in the lower bound, colour as an argument.
subroutine colour(p, r, n, c)
  implicit none
  integer, intent(in) :: n, c
  real(8), intent(inout) :: p(0:n+1, 0:n+1, 0:n+1)
  real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1)
  integer :: i, j, k
  do k = 1, n
    do j = 1, n
      do i = 1 + mod(j + k + c, 2), n, 2
        p(i,j,k) = (p(i-1,j,k) + p(i+1,j,k) + p(i,j-1,k) + p(i,j+1,k) + p(i,j,k-1) + p(i,j,k+1) - r(i,j,k))/6.0d0
      end do
    end do
  end do
end subroutine colour

program parity
  implicit none
  integer, parameter :: n = 7
  real(8) :: p(0:n+1,0:n+1,0:n+1), r(0:n+1,0:n+1,0:n+1)
  integer :: c
  p = 1.0d0
  r = 0.25d0
  do c = 0, 1
    call colour(p, r, n, c)
  end do
  print *, p(3,4,5), sum(p)
end program parity
