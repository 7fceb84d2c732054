/* Slopes of a picture of bytes. */
#include <stdint.h>
void edges8(long n, const uint8_t p[restrict n][n], uint8_t q[restrict n][n]) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      int gx = p[i][j + 1] - p[i][j - 1], gy = p[i + 1][j] - p[i - 1][j];
      gx = gx < 0 ? -gx : gx;
      gy = gy < 0 ? -gy : gy;
      q[i][j] = (uint8_t)((gx + gy) >> 1);
    }
}
