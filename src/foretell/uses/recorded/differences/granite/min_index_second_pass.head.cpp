extern "C" {
void nearest(int n, const float *d, int *at)
{
    float least = d[0];
    for (int i = 1; i < n; ++i)
        least = d[i] < least ? d[i] : least;
    int best = 0;
    while (d[best] != least)
        ++best;
    *at = best;
}
}
