/* A square root for each element. */
#include <math.h>
void root(long n, const double *restrict b, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = sqrt(b[i]);
}
