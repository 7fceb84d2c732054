void dscal(int n, int inc, double a, double *x)
{
    if (inc == 1) {
        for (int i = 0; i < n; i++)
            x[i] *= a;
        return;
    }
    for (int i = 0; i < n; i++)
        x[(long)i * inc] *= a;
}
