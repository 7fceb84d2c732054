void quantise(int n, const float *restrict x, int *restrict q)
{
    for (int i = 0; i < n; i++)
        q[i] = (int)(x[i] * 127.0f);
}
