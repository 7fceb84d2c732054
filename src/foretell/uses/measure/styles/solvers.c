/* Dense and sparse solvers as numerical courses and small libraries write them. */
#include <math.h>
#include <stdlib.h>

/* LU with row exchanges of a copy; rows by pointers. */
int lu_pivot(int n, double **a, double **lu, int *perm) {
  for (int i = 0; i < n; i++) {
    perm[i] = i;
    for (int j = 0; j < n; j++) lu[i][j] = a[i][j];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(lu[i][k]) > fabs(lu[best][k])) best = i;
    double *row = lu[k];
    lu[k] = lu[best];
    lu[best] = row;
    int was = perm[k];
    perm[k] = perm[best];
    perm[best] = was;
    if (lu[k][k] == 0.0) return -1;
    for (int i = k + 1; i < n; i++) {
      double factor = lu[i][k] /= lu[k][k];
      for (int j = k + 1; j < n; j++) lu[i][j] -= factor * lu[k][j];
    }
  }
  return 0;
}

/* Cholesky of a packed lower triangle, from one array into another. */
void cholesky_packed(int n, const double *a, double *l) {
  for (int i = 0; i < n; i++) {
    double *li = l + i * (i + 1) / 2;
    for (int j = 0; j <= i; j++) {
      double *lj = l + j * (j + 1) / 2;
      double sum = a[i * (i + 1) / 2 + j];
      for (int k = 0; k < j; k++) sum -= li[k] * lj[k];
      if (i == j)
        li[j] = sqrt(sum);
      else
        li[j] = sum / lj[j];
    }
  }
}

/* Forward substitution with a sparse lower triangle. */
void sparse_lower_solve(int n, const int *start, const int *column, const double *value, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    int last = start[i + 1] - 1;
    for (int p = start[i]; p < last; p++) sum -= value[p] * x[column[p]];
    x[i] = sum / value[last];
  }
}

/* Sparse product, each row allocated by itself. */
void rows_multiply(int n, double **value, int **column, const int *length, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < length[i]; k++) sum += value[i][k] * x[column[i][k]];
    y[i] = sum;
  }
}

/* ELLPACK: the k-th entries of all rows one behind the other. */
void ell_multiply(int n, int width, const double *value, const int *column, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = 0.0;
  for (int k = 0; k < width; k++)
    for (int i = 0; i < n; i++) y[i] += value[k * n + i] * x[column[k * n + i]];
}

/* Many tridiagonal systems, neighbours in memory. */
void thomas_batch(int n, int systems, const double *a, const double *b, const double *c, double *d, double *work) {
  for (int s = 0; s < systems; s++) {
    work[s] = c[s] / b[s];
    d[s] = d[s] / b[s];
  }
  for (int i = 1; i < n; i++)
    for (int s = 0; s < systems; s++) {
      long at = (long)i * systems + s;
      double m = 1.0 / (b[at] - a[at] * work[at - systems]);
      work[at] = c[at] * m;
      d[at] = (d[at] - a[at] * d[at - systems]) * m;
    }
  for (int i = n - 2; i >= 0; i--)
    for (int s = 0; s < systems; s++) {
      long at = (long)i * systems + s;
      d[at] -= work[at] * d[at + systems];
    }
}

/* Order of a chain of matrix products. */
long matrix_chain(int n, const int *dims, long *cost) {
  for (int i = 0; i < n; i++) cost[i * n + i] = 0;
  for (int span = 1; span < n; span++)
    for (int i = 0; i + span < n; i++) {
      int j = i + span;
      long best = 1L << 62;
      for (int k = i; k < j; k++) {
        long c = cost[i * n + k] + cost[(k + 1) * n + j] + (long)dims[i] * dims[k + 1] * dims[j + 1];
        if (c < best) best = c;
      }
      cost[i * n + j] = best;
    }
  return cost[n - 1];
}

/* A tile of four by four of a product, from packed panels. */
void tile_product(int k, const double *a, const double *b, double *c, int ldc) {
  double t[4][4] = {{0}};
  for (int p = 0; p < k; p++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) t[i][j] += a[4 * p + i] * b[4 * p + j];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[i * ldc + j] += t[i][j];
}

/* Prices of options by the formula with the normal distribution. */
void option_prices(int n, const double *spot, const double *strike, const double *years, double rate, double sigma,
                   double *price) {
  for (int i = 0; i < n; i++) {
    double root = sigma * sqrt(years[i]);
    double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * sigma * sigma) * years[i]) / root;
    double d2 = d1 - root;
    price[i] = 0.5 * spot[i] * erfc(-d1 * 0.7071067811865476) -
               0.5 * strike[i] * exp(-rate * years[i]) * erfc(-d2 * 0.7071067811865476);
  }
}

/* Symmetric rank-two update by reflections, as in tridiagonalisation: lower triangle. */
void rank_two(int n, double *a, const double *v, const double *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i * n + j] -= 0.001 * (v[i] * w[j] + w[i] * v[j]);
}

/* Tiles of a transpose. */
void transpose_tiles(int n, const double *in, double *out) {
  for (int ii = 0; ii < n; ii += 8)
    for (int jj = 0; jj < n; jj += 8)
      for (int i = ii; i < ii + 8; i++)
        for (int j = jj; j < jj + 8; j++) out[j * n + i] = in[i * n + j];
}
