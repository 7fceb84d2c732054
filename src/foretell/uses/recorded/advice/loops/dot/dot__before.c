void dot(int n, double x[restrict n], double y[restrict n], double s[restrict 1]) {
    double t = 0;
    for (int i = 0; i < n; i++)
     t += x[i] * y[i];
    s[0] = t;
}
