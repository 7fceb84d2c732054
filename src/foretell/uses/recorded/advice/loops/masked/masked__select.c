void masked(int n, double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
     y[i] = x[i] > 1.0 ? 2.0 * x[i] : y[i];
}
