void sum_of_squares(int n, const int *restrict x, int *restrict out)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    *out = sum;
}
