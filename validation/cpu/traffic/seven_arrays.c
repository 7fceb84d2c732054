/* Many arrays side by side. */
void seven_arrays(int n, double a[n], double b[n], double c[n], double d[n], double e[n], double f[n], double g[n]) {
  for (int i = 0; i < n; i++)
    g[i] = a[i] * b[i] + c[i] * d[i] - e[i] * f[i];
}
