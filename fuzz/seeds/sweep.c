#define N 100
static double a[N][N], b[N][N];
struct cell { int kind; double value[3]; };
double sweep(struct cell *cells, int m) {
  double sum = 0.0;
  for (int t = 0; t < 10; ++t)
    for (int i = 1; i < N - 1; ++i) {
      if (cells[i % m].kind == 2) continue;
      for (int j = i; j < N - 1; j += 2) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    }
  while (m > 1) { sum += cells[m].value[m & 1]; m >>= 1; }
  return sum;
}
