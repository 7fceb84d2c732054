/* Three rows of a picture, 16 bits. */
#include <stdint.h>
void smooth16(long n, const int16_t p[restrict n][n], int16_t q[restrict n][n]) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 0; j < n; j++)
      q[i][j] = (int16_t)((p[i - 1][j] + 2 * p[i][j] + p[i + 1][j] + 2) >> 2);
}
