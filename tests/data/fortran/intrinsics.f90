program main
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: i, j, k, v(4), w(2,3)
  integer(8) :: big
  real :: s
  real(dp) :: d, a(5), b(3,3), t(0:3)
  complex(dp) :: z, zz(2)
  complex :: c
  logical :: mask(5)
  enum, bind(c)
    enumerator :: red = 3, green
    enumerator blue
  end enum
  real(dp), parameter :: table(3) = [1d0, 2d0, 3d0]
  integer, parameter :: nested = 2 * (3 + 4) - 10 / 3
  i = 12
  k = -2
  print *, ibset(i, 0), ibclr(i, 2), not(i), ishft(i, k), ishft(i, 1), btest(i, 3), shiftl(3, 2), shiftr(12, 1)
  print *, iabs(-4), isign(5, -2), idint(3.7d0), ifix(-2.5), nint(-2.5d0), idnint(1.5d0), floor(2.5), ceiling(-2.5)
  print *, dprod(2.0, 3.5), dim(5d0, 3d0), dim(3d0, 5d0), max1(2.7, 1.0), min1(2.7, 1.9), amax0(3, 5), amin0(3, 5)
  print *, merge(fsource=1, tsource=2, mask=i > 3), hypot(3d0, 4d0), atan2(1d0, 1d0), tanh(0.5d0), erf(0.3d0), gamma(5d0)
  print *, amod(7.5, 2.0), dmod(-7.5d0, 2d0), dabs(-1.5d0), dsign(2d0, -1d0), dmax1(1d0, 2d0, 3d0), min0(4, 2, 9)
  print *, log10(1000d0), dlog(2d0), alog10(100.0), asin(0.5d0), acos(0.5d0), cosh(1d0), asinh(1d0), exp(1d0)
  print *, kind(1d0), kind(1), kind(1.0), storage_size(1d0), nested, red, green, blue, bit_size_of(big)
  print *, huge(1), epsilon(1d0) * 1d16, tiny(1d0) * 1d300, huge(1.0) > 1e38
  z = cmplx(3d0, -4d0, dp)
  c = cmplx(1, 2)
  zz = [dcmplx(1d0, 1d0), z]
  print *, z, abs(z), conjg(z), aimag(z), real(z), dble(z), z%re, z%im
  print *, c, z * z, z / (1d0, 2d0), z + 1, -z, z**2, sqrt(z), int(z), cmplx(2d0)
  print *, dot_product(zz, zz), sum(zz), product(zz), cmplx(d_of(2d0), d_of(3d0), kind=dp)
  a = [1d0, -2d0, 3d0, -4d0, 5d0]
  mask = a > 0
  print *, norm2(a), maxval(a), minval(a), maxloc(a), minloc(a, dim=1), count(mask), any(mask), all(mask)
  print *, sum(a, mask), product(a, mask=a < 0), maxval(a, mask=a < 0), sum(abs(a)), sum(a(1:5:2)), sum(a(5:1:-2))
  where (mask)
    a = a * 2
  elsewhere
    a = -a
  end where
  print *, a
  v = [((i * 10 + j, i = 1, 2), j = 1, 2)]
  print *, v
  v = [1, (k, k = 5, 6), 9]
  print *, v, k
  v = [v(3:4), v(1:2)]
  print *, v
  print *, [1, 2, 3] + [(2 * i, i = 1, 3)], spread(7, 1, 2), [(v(i) + 0, i = 4, 1, -1)]
  w = 0
  w(1, :) = [1, 2, 3]
  w(2, :) = 10 * w(1, :)
  print *, w, sum(w, 1), sum(w, 2), maxval(w, dim=1), count(w > 2, 1), product(w(:, 1)), lbound(t), ubound(t), shape(w)
  t = [10, 20, 30, 40]
  print *, t(1), t([0, 3]), t(3:0:-1), sum(t(::2)), size(t(1:2)), lbound(t, 1), lbound(t(1:), 1), ubound(t(1:), 1)
  associate (x => t(1:3), y => b(2, :), q => t * 2)
    x = x + 1
    x(2:3) = x(1:2)
    y = [4d0, 5d0, 6d0]
    y(2) = x(1)
    print *, x, y, q(1), q(2:3), sum(y(2:3))
  end associate
  b(1, :) = table
  b(3, :) = b(1, 3:1:-1)
  print *, b, matmul(b, transpose(b)), matmul(b(1, :), b), matmul(matmul(b, b), b)
  b = matmul(b, b)
  print *, b
  a(1:4) = a(2:5) + a(1:4)
  print *, a
  a = a(5:1:-1)
  print *, a
  print *, (i, a(i), i = 1, 3), ((w(i, j), i = 1, 2), j = 1, 2)
  s = 1.0 / 3.0
  d = 1.0d0 / 3
  print *, s, d, real(d), dble(s), sngl(d), float(3), int(3.99), int(2_8**33 / 2**20), 3 / 2 * 2.0, (-8) / 3, mod(-8, 3)
  big = 2_8**40
  print *, big, int(big / 2_8**20), 10_8 * 3
  d = 0
  do i = 1, 3
    do j = i, 3
      if (j == 2 .and. i /= 1 .or. .not. (i < 3)) cycle
      d = d + i * j
    end do
  end do
  print *, d, i, j
  print *, int(z'1f'), int(b'101'), int(o'17'), 1.5e2, .5, 2., 1d-3, 1.0_dp / 3
contains
  real(dp) function d_of(x)
    real(dp), intent(in) :: x
    d_of = 2 * x
  end function
  integer function bit_size_of(n)
    integer(8), intent(in) :: n
    bit_size_of = storage_size(n)
  end function
end program
