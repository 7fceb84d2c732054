/* Roots and quotients. */
#include <math.h>
void unit_vectors(long n, double *restrict x, double *restrict y, double *restrict z) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    double r = 1.0 / sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    x[i] *= r;
    y[i] *= r;
    z[i] *= r;
  }
}
