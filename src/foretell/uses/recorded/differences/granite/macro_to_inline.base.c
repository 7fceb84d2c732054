#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))

void clamp_span(int n, const int *src, int *dst)
{
    for (int i = 0; i < n; i++)
        dst[i] = CLAMP(src[i] >> 8, 0, 255);
}
