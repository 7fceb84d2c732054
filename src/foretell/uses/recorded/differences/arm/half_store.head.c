void quantise(int n, const float *restrict x, signed char *restrict q)
{
    for (int i = 0; i < n; i++)
        q[i] = (signed char)(x[i] * 127.0f);
}
