/* Complex numbers with their parts in arrays of their own: the product with a conjugate, added up. */
void conjugate(long n, const double *restrict ar, const double *restrict ai, const double *restrict br,
               const double *restrict bi, double *restrict cr, double *restrict ci) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    cr[i] += ar[i] * br[i] + ai[i] * bi[i];
    ci[i] += ar[i] * bi[i] - ai[i] * br[i];
  }
}
