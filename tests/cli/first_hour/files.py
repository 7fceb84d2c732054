"""The small files of a new user: C, C++, Fortran and CUDA."""

from __future__ import annotations

KERNELS_C = """\
#include <stdlib.h>
#include <stdio.h>
typedef struct { double *x, *v; int count; } points;

void jacobi(int n, int iters, double (*restrict a)[n], double (*restrict b)[n])
{
    for (int t = 0; t < iters; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);
}

void matmul(int n, double (*c)[n], double (*a)[n], double (*b)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void spmv(int rows, const int *rowptr, const int *col, const double *val, const double *x, double *y)
{
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int k = rowptr[i]; k < rowptr[i+1]; k++)
            s += val[k] * x[col[k]];
        y[i] = s;
    }
}

void move(points p, double dt)
{
    for (int i = 0; i < p.count; i++)
        if (p.v[i] > 0)
            p.x[i] += dt * p.v[i];
}
"""

SOLVER_C = """\
#include <stdlib.h>
static double a[100000], b[100000];

void axpy(int n, double s, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

double dot(int n, const double *x, const double *y)
{
    double t = 0;
    for (int i = 0; i < n; i++)
        t += x[i] * y[i];
    return t;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int steps = 50;
    if (argc > 2)
        steps = atoi(argv[2]);
    double r = 0;
    for (int t = 0; t < steps; t++) {
        axpy(n, 0.5, a, b);
        r += dot(n, a, b);
    }
    return r > 0;
}
"""

OMP_C = """\
void triad(long n, double *restrict a, const double *b, const double *c)
{
    #pragma omp parallel for
    for (long i = 0; i < n; i++)
        a[i] = b[i] + 3.0 * c[i];
}
"""

MACRO_C = """\
#include "sizes.h"
void fill(double a[N][M])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i + j;
}
"""

FLUID_F90 = """\
module fluid
  type state
    integer :: nx, ny
    double precision, allocatable :: u(:,:), v(:,:)
  end type
contains
  subroutine smooth(s)
    type(state), intent(inout) :: s
    integer :: i, j
    do j = 2, s%ny - 1
      do i = 2, s%nx - 1
        s%v(i,j) = 0.25d0 * (s%u(i-1,j) + s%u(i+1,j) + s%u(i,j-1) + s%u(i,j+1))
      end do
    end do
  end subroutine
end module
program heat
  use fluid
  type(state) :: s
  integer :: k
  s%nx = 200
  s%ny = 100
  allocate(s%u(200,100))
  allocate(s%v(200,100))
  s%u = 0
  do k = 1, 10
    call smooth(s)
  end do
end program
"""

APP_CPP = """\
#include <vector>
double total(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }
int main() { std::vector<double> v(1000, 1.0); return total(v) > 0; }
"""

AXPY_CU = """\
__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""

TARGET_C = """\
double step(long n, double *x)
{
    double sum = 0;
    #pragma omp target teams distribute parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += x[i] += 1.0;
    return sum;
}
"""

FILES = {
    "kernels.c": KERNELS_C,
    "solver.c": SOLVER_C,
    "omp.c": OMP_C,
    "macro.c": MACRO_C,
    "include/sizes.h": "#define M 64\n",
    "fluid.f90": FLUID_F90,
    "app.cpp": APP_CPP,
    "axpy.cu": AXPY_CU,
    "broken.c": "void f(int n, double *a)\n{ for (int i = 0; i < n; i++) a[i] = 0;\n",
    "torn.c": "int main({\n",
    "flat.c": "int f(int n) { return n; }\n",
    "target.c": TARGET_C,
    "two.s": ".type first, %function\nfirst:\nret\n.type second, %function\nsecond:\nret\n",
    "empty.cubin": "",
    "junk.cubin": "no GPU code\n",
    "notes.xyz": "hello\n",
    "README": "just words: no workload\n",
    "k.ll": "; ModuleID\n",
    "k.s": "ret\n",
    "k.ptx": ".version 8.0\n",
    "k.hip": "// HIP\n",
    "k.cl": "// OpenCL\n",
    "k.py": "print(1)\n",
    "k.rs": "fn main() {}\n",
    "space.toml": """\
machine = "neoverse-n1"
[[application]]
code = "kernels.c"
function = "matmul"
parameters = { n = 100 }
[axes]
"clock.frequency" = { times = [1, 2] }
""",
}
