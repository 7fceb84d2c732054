/* Indirect subscripts: gather, scatter, CSR product, an index of an index. */
#include <stdio.h>
#ifndef N
#define N 30
#endif
#define NNZ (3 * N - 2)
static double a[NNZ], x[N], y[N], z[N];
static int row[N + 1], col[NNZ], perm[N], link[N];

static void build(void)
{
  int n = 0;
  for (int i = 0; i < N; i++) {
    row[i] = n;
    for (int j = (i > 0 ? i - 1 : 0); j <= (i < N - 1 ? i + 1 : N - 1); j++) {
      col[n] = j;
      a[n] = i == j ? 2.0 : -1.0;
      n++;
    }
    x[i] = 1.0 + i;
    perm[i] = (7 * i) % N;
    link[i] = (i + 1) % N;
  }
  row[N] = n;
}

static void spmv(void)
{
  for (int i = 0; i < N; i++) {
    double sum = 0.0;
    for (int j = row[i]; j < row[i + 1]; j++)
      sum += a[j] * x[col[j]];
    y[i] = sum;
  }
}

static void gather_scatter(void)
{
  for (int i = 0; i < N; i++)
    z[i] = x[perm[i]] + y[link[perm[i]]];
  for (int i = 0; i < N; i++)
    x[perm[i]] = z[i] * 0.5;
  for (int i = 0; i < N; i++)
    y[link[i]] += z[i];
}

int main(void)
{
  build();
  spmv();
  gather_scatter();
  printf("%.12g %.12g %.12g\n", x[1], y[2], z[3]);
  return 0;
}
