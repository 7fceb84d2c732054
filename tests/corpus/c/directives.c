/* OpenMP and OpenACC directives on loops and blocks; they change nothing in the counts. */
#include <omp.h>
#include <stdio.h>
#ifndef N
#define N 12
#endif
static double a[N][N][N], b[N][N][N], s[N];

int main(void)
{
  double sum = 0.0;
#pragma omp parallel for collapse(2) schedule(static, 4)
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) {
#pragma omp simd
      for (int i = 0; i < N; i++)
        a[k][j][i] = k + 0.1 * j + 0.01 * i;
    }
#pragma acc data copyin(a) copyout(b)
  {
#pragma acc parallel loop gang vector_length(128)
    for (int k = 1; k < N - 1; k++)
#pragma acc loop vector
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
          b[k][j][i] = a[k + 1][j][i] - a[k - 1][j][i];
  }
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) nowait
    for (int k = 1; k < N - 1; k++)
      sum += b[k][k][k];
#pragma omp single
    for (int k = 0; k < N; k++)
      s[k] = a[k][0][0] * 2.0;
  }
  printf("%.12g %.12g\n", sum, s[3]);
  return 0;
}
