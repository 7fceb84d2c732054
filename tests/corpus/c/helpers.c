/* static inline helpers: index functions, arithmetic functions, a helper that writes through a pointer. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 14
#endif
static inline int at(int i, int j, int n) { return i * n + j; }
static inline double average(double a, double b) { return 0.5 * (a + b); }
static inline double laplacian(const double *u, int i, int j, int n)
{
  double s = u[at(i - 1, j, n)] + u[at(i + 1, j, n)];
  s += u[at(i, j - 1, n)] + u[at(i, j + 1, n)];
  return s - 4.0 * u[at(i, j, n)];
}
static inline void store(double *v, int i, int j, int n, double x) { v[at(i, j, n)] = x; }
static inline void row(double *restrict v, const double *restrict u, int n)
{
  for (int j = 1; j < n - 1; j++)
    v[j] = average(u[j - 1], u[j + 1]);
}

int main(void)
{
  int n = N;
  double *u = malloc(sizeof(double) * n * n), *v = calloc(n * n, sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      store(u, i, j, n, i * 0.5 + j * j);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      store(v, i, j, n, u[at(i, j, n)] + 0.1 * laplacian(u, i, j, n));
  for (int i = 0; i < n; i++)
    row(v + i * n, u + i * n, n);
  printf("%.12g\n", v[at(n / 2, n / 2, n)]);
  free(u);
  free(v);
  return 0;
}
