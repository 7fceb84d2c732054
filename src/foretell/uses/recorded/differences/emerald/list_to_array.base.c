void list_sum(int n, const int *restrict next, const double *restrict value, double *restrict out)
{
    double sum = 0;
    int at = 1;
    for (int i = 0; i < n; i++) {
        sum += value[at];
        at = next[at];
    }
    out[0] = sum;
}
