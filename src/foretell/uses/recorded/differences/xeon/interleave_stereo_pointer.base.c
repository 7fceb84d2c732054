void interleave(int n, const float *l, const float *r, float *out)
{
    for (int i = 0; i < n; i++) {
        out[2 * i] = l[i];
        out[2 * i + 1] = r[i];
    }
}
