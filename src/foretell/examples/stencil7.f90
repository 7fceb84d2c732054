! The same 7-point Jacobi sweep in Fortran.
subroutine sweep(n, c0, c1, u, un)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: c0, c1, u(0:n-1, 0:n-1, 0:n-1)
  real(8), intent(inout) :: un(0:n-1, 0:n-1, 0:n-1)
  integer :: i, j, k
  do k = 1, n - 2
    do j = 1, n - 2
      do i = 1, n - 2
        un(i, j, k) = c0 * u(i, j, k) &
                    + c1 * (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) &
                            + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1))
      end do
    end do
  end do
end subroutine
