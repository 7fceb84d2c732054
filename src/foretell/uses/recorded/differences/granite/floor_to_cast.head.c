void cells(int n, const double *x, int *cell)
{
    for (int i = 0; i < n; i++) {
        double v = x[i] * 8.0;
        int c = (int)v;
        cell[i] = c - (v < c);
    }
}
