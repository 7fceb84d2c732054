void lennard(int n, const double *restrict x, const double *restrict y, const double *restrict z, double *restrict fx) {
  for (int i = 0; i < n; i++) {
    double f = 0;
    for (int j = 0; j < n; j++) {
      double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      double r2 = dx * dx + dy * dy + dz * dz + 0.01;
      double r6 = 1.0 / (r2 * r2 * r2);
      f += dx * r6 * (r6 - 0.5) / r2;
    }
    fx[i] = f;
  }
}
