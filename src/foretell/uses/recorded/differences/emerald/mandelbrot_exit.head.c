void escape(int n, const double *restrict x, const double *restrict y, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        double a = 0, b = 0;
        int k;
        for (k = 0; k < 50; k++) {
            if (a * a + b * b > 4)
                break;
            double t = a * a - b * b + x[i];
            b = 2 * a * b + y[i];
            a = t;
        }
        out[i] = k < 50;
    }
}
