void weighted(int n, int m, const double *w, double *a)
{
    for (int i = 0; i < n; i++)
        {
            double own = w[i];
            for (int j = 0; j < m; j++)
                a[i * m + j] *= own;
        }
}
