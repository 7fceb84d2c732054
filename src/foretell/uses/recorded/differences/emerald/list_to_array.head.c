void list_sum(int n, const int *restrict next, const double *restrict value, double *restrict out)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += value[next[i]];
    out[0] = sum;
}
