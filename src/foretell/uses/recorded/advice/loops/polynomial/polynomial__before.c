void polynomial(int n, double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
     y[i] = x[i] / 3.7 + x[i] * x[i] / 5.3 + x[i] / 7.9;
}
