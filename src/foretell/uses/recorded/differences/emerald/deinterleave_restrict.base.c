void deinterleave(int n, const float *in, float *left, float *right)
{
    for (int i = 0; i < n; i++) {
        left[i] = in[2 * i];
        right[i] = in[2 * i + 1];
    }
}
