/* Whole numbers, multiplied, shifted and mixed. */
#include <stdint.h>
void mix_bits(long n, const uint32_t *restrict a, const uint32_t *restrict b, uint32_t *restrict c) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    c[i] = (a[i] * 1664525u + b[i]) ^ (a[i] >> 7) ^ (b[i] << 3);
}
