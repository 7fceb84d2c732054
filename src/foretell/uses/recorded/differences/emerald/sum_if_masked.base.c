void sum_where(int n, int limit, const int *restrict v, long *restrict out)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        if (v[i] > limit)
            sum += v[i];
    *out = sum;
}
