/* Red-black Gauss-Seidel: parity in the lower bound, in a condition, and in a computed start. */
#include <stdio.h>
#ifndef N
#define N 9
#endif
static double p[N + 2][N + 2][N + 2], r[N + 2][N + 2][N + 2];

void bound(int s)
{
  for (int k = 1; k <= N; k++)
    for (int j = 1; j <= N; j++)
      for (int i = 1 + ((j ^ k ^ s) & 1); i <= N; i += 2)
        p[k][j][i] = (p[k][j][i - 1] + p[k][j][i + 1] + p[k][j - 1][i] + p[k][j + 1][i] + p[k - 1][j][i] +
                      p[k + 1][j][i] - r[k][j][i]) * 0.1666;
}

void start(int s)
{
  for (int k = 1; k <= N; k++)
    for (int j = 1; j <= N; j++) {
      int first = 1 + (j + k + s) % 2;
      for (int i = first; i <= N; i += 2)
        p[k][j][i] = 0.5 * (p[k][j][i - 1] + p[k][j][i + 1]);
    }
}

void condition(int s)
{
  for (int k = 1; k <= N; k++)
    for (int j = 1; j <= N; j++)
      for (int i = 1; i <= N; i++)
        if ((i + j + k + s) % 2 == 0)
          r[k][j][i] = r[k][j][i] - p[k][j][i];
}

int main(void)
{
  for (int k = 0; k < N + 2; k++)
    for (int j = 0; j < N + 2; j++)
      for (int i = 0; i < N + 2; i++) {
        p[k][j][i] = i + j + k;
        r[k][j][i] = 0.25;
      }
  for (int s = 0; s < 2; s++) {
    bound(s);
    start(s);
    condition(s);
  }
  printf("%.12g %.12g\n", p[3][3][3], r[2][2][2]);
  return 0;
}
