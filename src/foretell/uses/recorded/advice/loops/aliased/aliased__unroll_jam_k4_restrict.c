void aliased(int n, double *restrict x, double *restrict y, double *restrict z, double *restrict w) {
    for (int k = 0; k < 64; k += 4)
     for (int i = 0; i < n; i++) {
      z[i] += w[k] * x[i] + w[k + 64] * y[i];
      z[i] += w[k + 1] * x[i] + w[k + 65] * y[i];
      z[i] += w[k + 2] * x[i] + w[k + 66] * y[i];
      z[i] += w[k + 3] * x[i] + w[k + 67] * y[i];
     }
}
