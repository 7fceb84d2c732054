void dot(int n, double x[restrict n], double y[restrict n], double s[restrict 1]) {
    double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
    int i;
    for (i = 0; i + 3 < n; i += 4) {
     t0 += x[i] * y[i];
     t1 += x[i + 1] * y[i + 1];
     t2 += x[i + 2] * y[i + 2];
     t3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
     t0 += x[i] * y[i];
    s[0] = t0 + t1 + t2 + t3;
}
