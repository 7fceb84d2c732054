extern "C" {
void nearest(int n, const float *d, int *at)
{
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (d[i] < d[best])
            best = i;
    *at = best;
}
}
