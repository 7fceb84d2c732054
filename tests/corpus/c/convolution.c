/* Small constant inner loops over a coefficient table; an unrolled remainder loop. */
#include <stdio.h>
#ifndef W
#define W 18
#endif
#ifndef H
#define H 11
#endif
#define R 2
static float image[H][W], result[H][W];
static const float weight[2 * R + 1][2 * R + 1] = {
    {1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

static void convolve(void)
{
  for (int y = R; y < H - R; y++)
    for (int x = R; x < W - R; x++) {
      float acc = 0.0f;
      for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++)
          acc += weight[dy + R][dx + R] * image[y + dy][x + dx];
      result[y][x] = acc / 256.0f;
    }
}

static float unrolled(const float *v, int n)
{
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i;
  for (i = 0; i + 3 < n; i += 4) {
    s0 += v[i];
    s1 += v[i + 1];
    s2 += v[i + 2];
    s3 += v[i + 3];
  }
  for (; i < n; i++)
    s0 += v[i];
  return (s0 + s1) + (s2 + s3);
}

int main(void)
{
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      image[y][x] = (float)((x * y) % 9);
  convolve();
  printf("%.8g %.8g\n", result[4][4], unrolled(&image[3][0], W));
  return 0;
}
