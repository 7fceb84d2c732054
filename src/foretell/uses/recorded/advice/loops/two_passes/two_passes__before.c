void two_passes(int n, double x[restrict n], double y[restrict n], double z[restrict n]) {
    for (int i = 0; i < n; i++)
     y[i] = 2.0 * x[i] + y[i];
    for (int i = 0; i < n; i++)
     z[i] = y[i] * y[i] + x[i];
}
