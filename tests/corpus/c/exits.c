/* Loops that can end early and do not: error exits, convergence; loops whose head is in their body; lazy operands. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 60

static double a[N], b[N], c[N][N];
static int kind[N];

static double mix(double x, double y)
{
  return x * y + x;
}

static int checked(int n, double *x)
{
  for (int i = 0; i < n; i++) {
    if (x[i] == 0.0)
      return -1;
    x[i] = 1.0 / x[i];
  }
  for (int i = 0; i < n; i++) {
    double root = sqrt(fabs(x[i]));
    if (isnan(root)) {
      fprintf(stderr, "bad element %d\n", i);
      exit(1);
    }
    b[i] += root;
  }
  return 0;
}

static int factor(int n)
{
  int status = 0;
  for (int k = 0; k < n; k++) {
    if (fabs(c[k][k]) < 1e-30) {
      status = k + 1;
      goto fail;
    }
    for (int i = k + 1; i < n; i++) {
      c[i][k] /= c[k][k];
      for (int j = k + 1; j < n; j++)
        c[i][j] -= c[i][k] * c[k][j];
    }
  }
fail:
  return status;
}

static int endless(int n)
{
  int i = 0, count = 0;
  for (;;) {
    a[i] += 0.5;
    i++;
    if (i == n)
      break;
  }
  i = n - 1;
  while (1) {
    b[i] *= 1.5;
    count++;
    if (--i < 0)
      break;
  }
  return count;
}

static void ragged(int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++)
      c[i][j] += a[j];
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (j == n - 1)
        c[i][j] *= 2.0;
  for (int k = 0; k < n; k++)
    for (int i = k - 3; i < m - k; i++)
      if (i >= 0)
        a[i] += b[k];
}

static double lazy(int n)
{
  double s = 0.0;
  for (int i = 0; i < n; i++)
    a[i] = i < 20 ? mix(a[i], b[i]) : 1.0;
  for (int i = 0; i < n; i++)
    if (i > 4 && mix(a[i], b[i - 5]) != 0.0)
      s += a[i];
  for (int i = 0; i < n; i++)
    switch (kind[i]) {
    case 7:
      s += b[i];
      break;
    case 8:
      s -= b[i];
      break;
    default:
      s += b[i];
    }
  return s;
}

static void search(int n, int *where)
{
  double best = -1.0;
  for (int i = 0; i < n; i++)
    if (b[i] > best) {
      best = b[i];
      *where = i;
    }
}

int main(void)
{
  int where = 0;
  for (int i = 0; i < N; i++) {
    a[i] = 1.0 + 0.01 * i;
    b[i] = 2.0 - 0.01 * i;
    kind[i] = 9 - i % 3;
    for (int j = 0; j < N; j++)
      c[i][j] = i == j ? 10.0 : 0.1;
  }
  int r = checked(N, a) + factor(N) + endless(N);
  ragged(N, 25);
  double s = lazy(N);
  search(N, &where);
  printf("%d %g %g %g %d\n", r, s, c[3][4], a[7], where);
  return 0;
}
