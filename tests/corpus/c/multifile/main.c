/* Driver of the multi-file program. */
#include "field.h"
#include <stdio.h>

static void blur(field *out, field *in)
{
  for (int i = 1; i < in->n - 1; i++)
    for (int j = 1; j < in->n - 1; j++)
      *cell(out, i, j) = scale * *cell(in, i, j) + (1 - scale) * (*cell(in, i, j - 1) + *cell(in, i, j + 1)) / 2;
}

static void copy_out(field *f)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      work[i][j] = *cell(f, i, j);
}

int main(void)
{
  field a = field_new(N, 1.0), b = field_new(N, 2.0);
  for (int step = 0; step < 3; step++) {
    blur(&b, &a);
    axpy(&a, 0.25, &b);
  }
  copy_out(&a);
  printf("%.8g %.8g\n", (double)norm2(&a), (double)work[2][2]);
  field_free(&a);
  field_free(&b);
  return 0;
}
