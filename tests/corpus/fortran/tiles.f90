! Tiled loops with MIN bounds, loop-carried temporaries, matrix product.
program tiles
  implicit none
  integer, parameter :: n = 19, t = 6
  real(8) :: a(n,n), b(n,n), c(n,n)
  integer :: i, j, k, ii, jj
  do j = 1, n
    do i = 1, n
      a(i,j) = i - 0.5d0*j
      b(i,j) = mod(i*j, 5)
    end do
  end do
  c = 0.0d0
  do jj = 1, n, t
    do ii = 1, n, t
      do j = jj, min(jj + t - 1, n)
        do k = 1, n
          do i = ii, min(ii + t - 1, n)
            c(i,j) = c(i,j) + a(i,k)*b(k,j)
          end do
        end do
      end do
    end do
  end do
  print *, c(1,1), c(n,n)
end program tiles
