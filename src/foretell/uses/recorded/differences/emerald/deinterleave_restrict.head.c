void deinterleave(int n, const float *restrict in, float *restrict left, float *restrict right)
{
    for (int i = 0; i < n; i++) {
        left[i] = in[2 * i];
        right[i] = in[2 * i + 1];
    }
}
