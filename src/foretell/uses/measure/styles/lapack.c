/* Reference linear algebra in the column-major style of its Fortran origins. */
#include <math.h>

#define A(i, j) a[(i) + (long)(j) * lda]
#define B(i, j) b[(i) + (long)(j) * ldb]
#define C(i, j) c[(i) + (long)(j) * ldc]

int getf2(int m, int n, double *a, int lda, int *ipiv) {
  int info = 0;
  for (int j = 0; j < (m < n ? m : n); j++) {
    int jp = j;
    for (int i = j + 1; i < m; i++)
      if (fabs(A(i, j)) > fabs(A(jp, j))) jp = i;
    ipiv[j] = jp;
    if (A(jp, j) != 0.0) {
      if (jp != j)
        for (int k = 0; k < n; k++) {
          double t = A(j, k);
          A(j, k) = A(jp, k);
          A(jp, k) = t;
        }
      for (int i = j + 1; i < m; i++) A(i, j) /= A(j, j);
    } else if (info == 0) {
      info = j + 1;
    }
    for (int k = j + 1; k < n; k++)
      for (int i = j + 1; i < m; i++) A(i, k) -= A(i, j) * A(j, k);
  }
  return info;
}

int potf2(char uplo, int n, double *a, int lda) {
  if (uplo == 'U') {
    for (int j = 0; j < n; j++) {
      double ajj = A(j, j);
      for (int k = 0; k < j; k++) ajj -= A(k, j) * A(k, j);
      if (ajj <= 0.0) return j + 1;
      ajj = sqrt(ajj);
      A(j, j) = ajj;
      for (int i = j + 1; i < n; i++) {
        double s = A(j, i);
        for (int k = 0; k < j; k++) s -= A(k, j) * A(k, i);
        A(j, i) = s / ajj;
      }
    }
  } else {
    for (int j = 0; j < n; j++) {
      double ajj = A(j, j);
      for (int k = 0; k < j; k++) ajj -= A(j, k) * A(j, k);
      if (ajj <= 0.0) return j + 1;
      ajj = sqrt(ajj);
      A(j, j) = ajj;
      for (int k = 0; k < j; k++)
        for (int i = j + 1; i < n; i++) A(i, j) -= A(i, k) * A(j, k);
      for (int i = j + 1; i < n; i++) A(i, j) /= ajj;
    }
  }
  return 0;
}

void trsm_left(char uplo, char transa, char diag, int m, int n, double alpha, const double *a, int lda, double *b, int ldb) {
  int nounit = diag == 'N', upper = uplo == 'U';
  if (transa == 'N') {
    for (int j = 0; j < n; j++) {
      if (alpha != 1.0)
        for (int i = 0; i < m; i++) B(i, j) = alpha * B(i, j);
      if (upper) {
        for (int k = m - 1; k >= 0; k--)
          if (B(k, j) != 0.0) {
            if (nounit) B(k, j) /= A(k, k);
            for (int i = 0; i < k; i++) B(i, j) -= B(k, j) * A(i, k);
          }
      } else {
        for (int k = 0; k < m; k++)
          if (B(k, j) != 0.0) {
            if (nounit) B(k, j) /= A(k, k);
            for (int i = k + 1; i < m; i++) B(i, j) -= B(k, j) * A(i, k);
          }
      }
    }
  } else {
    for (int j = 0; j < n; j++)
      for (int ii = 0; ii < m; ii++) {
        int i = upper ? ii : m - 1 - ii;
        double temp = alpha * B(i, j);
        for (int k = upper ? 0 : i + 1; k < (upper ? i : m); k++) temp -= A(k, i) * B(k, j);
        if (nounit) temp /= A(i, i);
        B(i, j) = temp;
      }
  }
}

void syrk_reference(char uplo, char trans, int n, int k, double alpha, const double *a, int lda, double beta, double *c,
                    int ldc) {
  for (int j = 0; j < n; j++) {
    int first = uplo == 'U' ? 0 : j, last = uplo == 'U' ? j + 1 : n;
    if (trans == 'N') {
      for (int i = first; i < last; i++) C(i, j) = beta == 0.0 ? 0.0 : beta * C(i, j);
      for (int l = 0; l < k; l++)
        if (A(j, l) != 0.0) {
          double temp = alpha * A(j, l);
          for (int i = first; i < last; i++) C(i, j) += temp * A(i, l);
        }
    } else {
      for (int i = first; i < last; i++) {
        double temp = 0.0;
        for (int l = 0; l < k; l++) temp += A(l, i) * A(l, j);
        C(i, j) = beta == 0.0 ? alpha * temp : alpha * temp + beta * C(i, j);
      }
    }
  }
}

void gemv_reference(char trans, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta,
                    double *y, int incy) {
  int leny = trans == 'N' ? m : n;
  if (beta != 1.0)
    for (int i = 0; i < leny; i++) y[i * incy] = beta == 0.0 ? 0.0 : beta * y[i * incy];
  if (trans == 'N') {
    for (int j = 0; j < n; j++) {
      double temp = alpha * x[j * incx];
      for (int i = 0; i < m; i++) y[i * incy] += temp * A(i, j);
    }
  } else {
    for (int j = 0; j < n; j++) {
      double temp = 0.0;
      for (int i = 0; i < m; i++) temp += A(i, j) * x[i * incx];
      y[j * incy] += alpha * temp;
    }
  }
}

void gemm_reference(char transa, char transb, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                    int ldb, double beta, double *c, int ldc) {
  int nota = transa == 'N', notb = transb == 'N';
  for (int j = 0; j < n; j++)
    if (nota) {
      for (int i = 0; i < m; i++) C(i, j) *= beta;
      for (int l = 0; l < k; l++) {
        double temp = alpha * (notb ? B(l, j) : B(j, l));
        for (int i = 0; i < m; i++) C(i, j) += temp * A(i, l);
      }
    } else {
      for (int i = 0; i < m; i++) {
        double temp = 0.0;
        for (int l = 0; l < k; l++) temp += A(l, i) * (notb ? B(l, j) : B(j, l));
        C(i, j) = alpha * temp + beta * C(i, j);
      }
    }
}

void swap_rows(int n, double *a, int lda, int k1, int k2, const int *ipiv) {
  for (int i = k1; i < k2; i++) {
    int ip = ipiv[i];
    if (ip != i)
      for (int k = 0; k < n; k++) {
        double temp = A(i, k);
        A(i, k) = A(ip, k);
        A(ip, k) = temp;
      }
  }
}

void axpy_strided(int n, double da, const double *dx, int incx, double *dy, int incy) {
  if (n <= 0 || da == 0.0) return;
  if (incx == 1 && incy == 1) {
    int m = n % 4;
    for (int i = 0; i < m; i++) dy[i] += da * dx[i];
    for (int i = m; i < n; i += 4) {
      dy[i] += da * dx[i];
      dy[i + 1] += da * dx[i + 1];
      dy[i + 2] += da * dx[i + 2];
      dy[i + 3] += da * dx[i + 3];
    }
  } else {
    int ix = 0, iy = 0;
    for (int i = 0; i < n; i++) {
      dy[iy] += da * dx[ix];
      ix += incx;
      iy += incy;
    }
  }
}

double norm_scaled(int n, const double *x, int incx) {
  double scale = 0.0, ssq = 1.0;
  for (int ix = 0; ix < n * incx; ix += incx)
    if (x[ix] != 0.0) {
      double absxi = fabs(x[ix]);
      if (scale < absxi) {
        ssq = 1.0 + ssq * (scale / absxi) * (scale / absxi);
        scale = absxi;
      } else {
        ssq += (absxi / scale) * (absxi / scale);
      }
    }
  return scale * sqrt(ssq);
}

void plane_rotation(int n, double *x, double *y, double c, double s) {
  for (int i = 0; i < n; i++) {
    double t = c * x[i] + s * y[i];
    y[i] = c * y[i] - s * x[i];
    x[i] = t;
  }
}

/* Applies a reflector H = I - tau v v' from the left. */
void apply_reflector(int m, int n, const double *v, double tau, double *c, int ldc, double *work) {
  for (int j = 0; j < n; j++) {
    work[j] = 0.0;
    for (int i = 0; i < m; i++) work[j] += C(i, j) * v[i];
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) C(i, j) -= tau * v[i] * work[j];
}
