/* One flat allocation seen as a pointer to rows of variable length; slices handed to a function. */
#include <stdio.h>
#include <stdlib.h>
#ifndef M
#define M 9
#endif
#ifndef N
#define N 13
#endif
static void gradient(int n, const double row[restrict n], double out[restrict n])
{
  for (int i = 1; i < n - 1; ++i)
    out[i] = 0.5 * (row[i + 1] - row[i - 1]);
}

static void work(void *storage, int m, int n)
{
  double (*grid)[n] = (double (*)[n])storage;
  double (*field)[m][n] = (double (*)[m][n])((double *)storage + (size_t)m * n);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      grid[j][i] = j * 0.5 + i;
  for (int j = 0; j < m; ++j)
    gradient(n, grid[j], (*field)[j]);
  for (int j = 1; j < m; ++j)
    for (int i = 0; i < n; ++i)
      (*field)[j][i] += grid[j][i] - grid[j - 1][i];
}

int main(void)
{
  double *storage = calloc(2 * M * N, sizeof(double));
  work(storage, M, N);
  printf("%.12g\n", storage[M * N + 2 * N + 3]);
  free(storage);
  return 0;
}
