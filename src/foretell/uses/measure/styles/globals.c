/* Dense algorithms on global arrays whose size is fixed when they are compiled. */
#ifndef N
#define N 400
#endif

double alpha = 1.5, beta = 1.2;
double A[N][N], B[N][N], C[N][N], D[N][N], E[N][N];
double w[N], x[N], y[N];
float img[N][N], smooth[N][N], lines1[N][N], lines2[N][N];


void gesummv_global(void) {
  for (int i = 0; i < N; i++) {
    w[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < N; j++) {
      w[i] = A[i][j] * x[j] + w[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * w[i] + beta * y[i];
  }
}

void three_products_global(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = 0;
      for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      D[i][j] = 0;
      for (int k = 0; k < N; k++) D[i][j] += B[i][k] * A[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      E[i][j] = 0;
      for (int k = 0; k < N; k++) E[i][j] += C[i][k] * D[k][j];
    }
}

/* One step of alternating directions: a column sweep with its recurrences, and back. */
void adi_global(void) {
  const double a = -0.3, b = 1.6, c = a, d = -0.2, e = 1.4, f = d;
  for (int i = 1; i < N - 1; i++) {
    B[0][i] = 1.0;
    C[i][0] = 0.0;
    D[i][0] = B[0][i];
    for (int j = 1; j < N - 1; j++) {
      C[i][j] = -c / (a * C[i][j - 1] + b);
      D[i][j] = (-d * A[j][i - 1] + (1.0 + 2.0 * d) * A[j][i] - f * A[j][i + 1] - a * D[i][j - 1]) / (a * C[i][j - 1] + b);
    }
    B[N - 1][i] = 1.0;
    for (int j = N - 2; j >= 1; j--) B[j][i] = C[i][j] * B[j + 1][i] + D[i][j];
  }
  for (int i = 1; i < N - 1; i++) {
    A[i][0] = 1.0;
    C[i][0] = 0.0;
    D[i][0] = A[i][0];
    for (int j = 1; j < N - 1; j++) {
      C[i][j] = -f / (d * C[i][j - 1] + e);
      D[i][j] = (-a * B[i - 1][j] + (1.0 + 2.0 * a) * B[i][j] - c * B[i + 1][j] - d * D[i][j - 1]) / (d * C[i][j - 1] + e);
    }
    A[i][N - 1] = 1.0;
    for (int j = N - 2; j >= 1; j--) A[i][j] = C[i][j] * A[i][j + 1] + D[i][j];
  }
}

void deriche_global(void) {
  const float a1 = 0.22f, a2 = -0.18f, b1 = 1.2f, b2 = -0.45f;
  for (int i = 0; i < N; i++) {
    float ym1 = 0, ym2 = 0, xm1 = 0;
    for (int j = 0; j < N; j++) {
      lines1[i][j] = a1 * img[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = img[i][j];
      ym2 = ym1;
      ym1 = lines1[i][j];
    }
  }
  for (int i = 0; i < N; i++) {
    float yp1 = 0, yp2 = 0, xp1 = 0, xp2 = 0;
    for (int j = N - 1; j >= 0; j--) {
      lines2[i][j] = a1 * xp1 + a2 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = img[i][j];
      yp2 = yp1;
      yp1 = lines2[i][j];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) smooth[i][j] = lines1[i][j] + lines2[i][j];
  for (int j = 0; j < N; j++) {
    float tm1 = 0, ym1 = 0, ym2 = 0;
    for (int i = 0; i < N; i++) {
      lines1[i][j] = a1 * smooth[i][j] + a2 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = smooth[i][j];
      ym2 = ym1;
      ym1 = lines1[i][j];
    }
  }
}

double trace_global(void) {
  double t = 0.0;
  for (int i = 0; i < N; i++) t += A[i][i];
  return t;
}
