void copies(int n, double x[restrict n], double y[restrict n], double z[restrict n], double w[restrict n]) {
    for (int i = 0; i < n; i++) {
     z[i] = x[i] + 1.0;
     w[i] = y[i] + 1.0;
    }
}
