! cpp macros in Fortran: sizes, conditional code, function-like macros.
#ifndef NSIZE
#define NSIZE 13
#endif
#define REALK real(kind=8)
#define AVG(a,b) (0.5d0*((a)+(b)))
#define WIDE 1
program macros
  implicit none
  integer, parameter :: n = NSIZE
  REALK :: a(n), b(n), c(n)
  integer :: i
  do i = 1, NSIZE
    a(i) = i*1.5d0
  end do
#if WIDE
  do i = 2, n - 1
    b(i) = AVG(a(i-1), a(i+1))
  end do
#else
  do i = 2, n - 1
    b(i) = a(i)
  end do
#endif
  b(1) = a(1)
  b(n) = a(n)
#ifdef NOT_DEFINED
  c = 0.0d0
#else
  c = AVG(a, b)
#endif
  print *, b(3), c(4)
end program macros
