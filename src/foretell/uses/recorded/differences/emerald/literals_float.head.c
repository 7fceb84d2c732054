void normalised(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (in[i] - 0.485f) * 4.367f;
}
