/* Allocation, vector operations and globals of the multi-file program. */
#include "field.h"
#include <stdlib.h>
real scale = 0.5;
real work[N][N];

field field_new(int n, real value)
{
  field f;
  f.n = n;
  f.data = malloc((size_t)n * n * sizeof(real));
  for (int i = 0; i < n * n; i++)
    f.data[i] = value;
  return f;
}

void field_free(field *f)
{
  free(f->data);
  f->data = NULL;
}

void axpy(field *y, real a, const field *x)
{
  for (int i = 0; i < y->n * y->n; i++)
    y->data[i] += a * x->data[i];
}

real norm2(const field *f)
{
  real s = 0;
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      s += f->data[i * f->n + j] * f->data[i * f->n + j];
  return s;
}
