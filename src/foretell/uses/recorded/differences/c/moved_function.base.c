static double twice(double v) { return v + v; }

void doubled(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = twice(x[i]) + 1;
}
