void masked(int n, double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
     if (x[i] > 1.0)
      y[i] = 2.0 * x[i];
}
