! STREAM triad.
subroutine fortran_triad(n, a, b, c)
  implicit none
  integer(8), intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: b(n), c(n)
  integer(8) :: i
!$omp parallel do
  do i = 1, n
    a(i) = b(i) + 3.0d0 * c(i)
  end do
end subroutine fortran_triad
