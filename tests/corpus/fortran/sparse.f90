! CSR product, gather and scatter with index arrays, vector subscripts.
program sparse
  implicit none
  integer, parameter :: n = 20
  integer :: row(n+1), col(3*n), perm(n), i, k, nnz
  real(8) :: val(3*n), x(n), y(n), z(n)
  nnz = 0
  do i = 1, n
    row(i) = nnz + 1
    do k = max(1, i-1), min(n, i+1)
      nnz = nnz + 1
      col(nnz) = k
      val(nnz) = 1.0d0/(i + k)
    end do
    x(i) = i
    perm(i) = mod(3*i, n) + 1
  end do
  row(n+1) = nnz + 1
  do i = 1, n
    y(i) = 0.0d0
    do k = row(i), row(i+1) - 1
      y(i) = y(i) + val(k)*x(col(k))
    end do
  end do
  do i = 1, n
    z(perm(i)) = x(i) + y(perm(i))
  end do
  z(perm) = z(perm)*0.5d0
  print *, y(3), z(4), z(perm(2))
end program sparse
