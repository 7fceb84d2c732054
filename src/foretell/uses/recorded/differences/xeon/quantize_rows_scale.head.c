void quantize(int n, float scale, const float *restrict x, int *restrict q)
{
    const float inverse = 1.0f / scale;
    for (int i = 0; i < n; i++)
        q[i] = (int)(x[i] * inverse + 0.5f);
}
