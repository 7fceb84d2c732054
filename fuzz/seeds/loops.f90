subroutine sweep(a, b, n, m)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n, 0:m), b(:, :)
  integer :: i, j
  real(8), parameter :: w = 0.25d0
  do j = 1, m - 1
    do i = 2, n - 1
      if (a(i, j) > w) a(i, j) = w*(b(i - 1, j) + b(i + 1, j)) + max(a(i, j), sqrt(b(i, j)))
    end do
  end do
  where (b > 0) b = 1/b
  a(:, 0) = sum(b, dim=2) + a(n:1:-1, m)
end subroutine
