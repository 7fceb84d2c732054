/* Pointers swapped in a time loop; two time levels by parity. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 16
#endif
#ifndef STEPS
#define STEPS 6
#endif
static double level[2][N][N];

static double diffuse(double *u, double *v, int n, int steps)
{
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
    double *tmp = u;
    u = v;
    v = tmp;
  }
  return u[n + 1];
}

static void levels(int steps)
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        level[(t + 1) % 2][i][j] = level[t % 2][i][j - 1] + level[t % 2][i][j + 1] - level[(t + 1) % 2][i][j];
}

int main(void)
{
  double *u = malloc(N * N * sizeof(double)), *v = malloc(N * N * sizeof(double));
  for (int i = 0; i < N * N; i++)
    u[i] = v[i] = i % 3;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      level[0][i][j] = level[1][i][j] = 0.01 * i * j;
  double r = diffuse(u, v, N, STEPS);
  levels(STEPS);
  printf("%.12g %.12g\n", r, level[0][3][3]);
  free(u);
  free(v);
  return 0;
}
