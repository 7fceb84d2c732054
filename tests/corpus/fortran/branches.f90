! IF/ELSE IF by index (exact) and by data, SELECT CASE, one-line IF, arithmetic in conditions.
program branches
  implicit none
  integer, parameter :: n = 15
  real(8) :: a(n,n), b(n,n), c(n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      if (i == 1 .or. i == n .or. j == 1 .or. j == n) then
        a(i,j) = 0.0d0
      else if (i == j) then
        a(i,j) = 2.0d0*i
      else
        a(i,j) = 1.0d0/(i + j)
      end if
    end do
  end do
  do j = 1, n
    do i = 1, n
      select case (mod(i, 3))
      case (0)
        b(i,j) = a(i,j) + 1.0d0
      case (1)
        b(i,j) = a(i,j)*2.0d0
      case default
        b(i,j) = a(i,j)
      end select
    end do
  end do
  do i = 1, n
    c(i) = b(i,i)
    if (c(i) > 3.0d0) c(i) = c(i) - 3.0d0
    if (i < n) c(i) = c(i) + b(i+1,i)
  end do
  print *, a(3,3), b(4,5), c(7)
end program branches
