static int clamp_to(int v, int lo, int hi)
{
    if (v < lo)
        return lo;
    if (v > hi)
        return hi;
    return v;
}

void clamp_span(int n, const int *src, int *dst)
{
    for (int i = 0; i < n; i++)
        dst[i] = clamp_to(src[i] >> 8, 0, 255);
}
