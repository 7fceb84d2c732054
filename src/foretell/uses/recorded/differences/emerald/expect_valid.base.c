void valid_sum(int n, const int *restrict in, int *restrict sum, int *restrict bad)
{
    for (int i = 0; i < n; i++) {
        if (in[i] < 0)
            bad[0]++;
        else
            sum[0] += in[i];
    }
}
