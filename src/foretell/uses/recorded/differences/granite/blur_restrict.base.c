void blur_line(int n, const float *in, float *out, const float *w)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] * w[0] + in[i + 1] * w[1] + in[i + 2] * w[2] + in[i + 3] * w[3] + in[i + 4] * w[4];
}
