! POINTER association, swap in a time loop, pointer to a section.
program pointers
  implicit none
  integer, parameter :: n = 12, steps = 4
  real(8), target :: a(n,n), b(n,n)
  real(8), pointer :: old(:,:), new(:,:), tmp(:,:), row(:)
  integer :: i, j, t
  do j = 1, n
    do i = 1, n
      a(i,j) = i + j
      b(i,j) = a(i,j)
    end do
  end do
  old => a
  new => b
  do t = 1, steps
    do j = 2, n - 1
      do i = 2, n - 1
        new(i,j) = 0.25d0*(old(i-1,j) + old(i+1,j) + old(i,j-1) + old(i,j+1)) + 0.01d0
      end do
    end do
    tmp => old
    old => new
    new => tmp
  end do
  row => old(:, 3)
  do i = 1, n
    row(i) = row(i)*2.0d0
  end do
  print *, a(4,4), b(5,3)
end program pointers
