void sum_where(int n, int limit, const int *restrict v, long *restrict out)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] & -(long)(v[i] > limit);
    *out = sum;
}
