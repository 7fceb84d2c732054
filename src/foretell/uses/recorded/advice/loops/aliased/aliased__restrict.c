void aliased(int n, double *restrict x, double *restrict y, double *restrict z, double *restrict w) {
    for (int k = 0; k < 64; k++)
     for (int i = 0; i < n; i++)
      z[i] += w[k] * x[i] + w[k + 64] * y[i];
}
