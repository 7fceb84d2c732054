void kick(int n, double *restrict all)
{
    double *x = all, *u = all + 3 * n;
    for (int i = 0; i < n; i++)
        x[i] += 0.1 * u[i];
}
