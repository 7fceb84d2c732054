/* Compile-time constants: enum, const int, nested macros, constant folding, sizes from macros. */
#include <stdio.h>
#ifndef NI
#define NI 12
#endif
#define NJ (NI / 2 + 3)
#define GHOST 2
#define LEN (NJ + 2 * GHOST)
enum { RHO, MX, MY, EN, NVAR };
static const int first = GHOST;
static double s[NVAR][NI + 2 * GHOST][LEN];
static double g[NI + 2 * GHOST][LEN];

static void pressure(void)
{
  const int last = NI + GHOST;
  for (int i = first; i < last; i++)
    for (int j = GHOST; j < LEN - GHOST; j++)
      g[i][j] = (1.4 - 1.0) * (s[EN][i][j] - 0.5 * (s[MX][i][j] * s[MX][i][j] + s[MY][i][j] * s[MY][i][j]) / s[RHO][i][j]);
}

static void fourth(void)
{
  for (int i = first; i < NI + GHOST; i++)
    for (int j = GHOST; j < NJ + GHOST; j++)
      for (int v = RHO; v < NVAR; v++)
        s[v][i][j] += (8.0 * (g[i][j + 1] - g[i][j - 1]) - (g[i][j + 2] - g[i][j - 2])) / 12.0;
}

int main(void)
{
  for (int v = 0; v < NVAR; v++)
    for (int i = 0; i < NI + 2 * GHOST; i++)
      for (int j = 0; j < LEN; j++)
        s[v][i][j] = 1.0 + v + 0.1 * i - 0.1 * j;
  pressure();
  fourth();
  printf("%.12g %.12g\n", g[4][4], s[EN][5][5]);
  return 0;
}
