void clamp_positive(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] > 100 ? in[i] : 100;
}
