void minutes(int n, int per, const int *restrict seconds, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = seconds[i] / per;
}
