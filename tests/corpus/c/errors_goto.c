/* goto error handling, early returns, nested allocation: the loops in between still count. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 14
#endif
static int smooth(int n, double *out)
{
  int status = -1;
  double *a = NULL, *b = NULL;
  if (n < 3)
    return 1;
  a = malloc(n * sizeof *a);
  if (!a)
    goto fail;
  b = malloc(n * sizeof *b);
  if (b == NULL)
    goto fail;
  for (int i = 0; i < n; i++) {
    a[i] = i * 0.5;
    b[i] = 0.0;
  }
  for (int i = 1; i < n - 1; i++)
    b[i] = (a[i - 1] + 2.0 * a[i] + a[i + 1]) * 0.25;
  for (int i = 0; i < n; i++)
    out[i] = a[i] - b[i];
  status = 0;
fail:
  free(b);
  free(a);
  return status;
}

int main(int argc, char **argv)
{
  static double out[N];
  (void)argv;
  if (argc > 5)
    return 2;
  int status = smooth(N, out);
  if (status != 0) {
    fprintf(stderr, "failed\n");
    exit(status);
  }
  printf("%.12g\n", out[3]);
  return 0;
}
