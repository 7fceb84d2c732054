void chain_and_map(int n, double x[restrict n], double y[restrict n], double z[restrict n], double w[restrict n]) {
    for (int i = 1; i < n; i++) {
     x[i] = x[i - 1] * 0.5 + y[i];
     z[i] = w[i] * w[i] + 3.0 / (w[i] + 2.0);
    }
}
