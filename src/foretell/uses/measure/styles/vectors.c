/* Loops over global vectors whose length is fixed when they are compiled. */
#ifndef N
#define N 4000
#endif

double u[N], v[N], w[N], x[N], y[N], z[N];

void durbin_global(void) {
  double a = -x[0], b = 1.0, sum;
  y[0] = -x[0];
  for (int k = 1; k < N; k++) {
    b = (1 - a * a) * b;
    sum = 0.0;
    for (int i = 0; i < k; i++) sum += x[k - i - 1] * y[i];
    a = -(x[k] + sum) / b;
    for (int i = 0; i < k; i++) z[i] = y[i] + a * y[k - i - 1];
    for (int i = 0; i < k; i++) y[i] = z[i];
    y[k] = a;
  }
}

/* A recursive filter, forwards and backwards along rows, then along columns. */
void jacobi1d_global(void) {
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < N - 1; i++) y[i] = 0.33333 * (x[i - 1] + x[i] + x[i + 1]);
    for (int i = 1; i < N - 1; i++) x[i] = 0.33333 * (y[i - 1] + y[i] + y[i + 1]);
  }
}

void triad_global(void) {
  for (int i = 0; i < N; i++) u[i] = v[i] + 3.0 * w[i];
}

double norms_global(void) {
  double big = 0.0, sum = 0.0;
  for (int i = 0; i < N; i++) {
    sum += u[i] * u[i];
    if (v[i] > big) big = v[i];
  }
  return sum + big;
}
