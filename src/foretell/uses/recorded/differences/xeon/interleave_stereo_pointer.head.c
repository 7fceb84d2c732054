void interleave(int n, const float *l, const float *r, float *out)
{
    float *end = out + 2 * n;
    while (out < end) {
        *out++ = *l++;
        *out++ = *r++;
    }
}
