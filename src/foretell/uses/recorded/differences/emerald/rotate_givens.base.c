void givens(int n, double c, double s, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double t = c * x[i] + s * y[i];
        y[i] = c * y[i] - s * x[i];
        x[i] = t;
    }
}
