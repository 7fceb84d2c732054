! The sum of each column.
subroutine fortran_sums(n, a, s)
  implicit none
  integer(8), intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: s(n)
  integer(8) :: j
!$omp parallel do
  do j = 1, n
    s(j) = sum(a(:, j))
  end do
end subroutine fortran_sums
