/* The textbook product, c += a b, in four layouts: LAYOUT 0 static arrays, 1 parameters of variable length, 2 rows by
   pointers, 3 one dimension with a computed index and restrict. */
#ifndef LAYOUT
#define LAYOUT 0
#endif
#if LAYOUT == 0
double a[1000][1000], b[1000][1000], c[1000][1000]; void product(int n) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
#elif LAYOUT == 1
void product(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
#elif LAYOUT == 2
void product(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
#else
void product(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
#endif
