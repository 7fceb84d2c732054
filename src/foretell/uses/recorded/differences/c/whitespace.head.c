void triple(int n, const double *restrict x, double *restrict y)
{

    for (int i = 0;
         i < n;
         i++)

        y[i] = 3 * x[i] - y[i];
}
