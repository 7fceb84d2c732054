void inside_mask(int n, const float *xy, unsigned char *in)
{
    for (int i = 0; i < n; i++)
        in[i] = (xy[2 * i] > 0.6f) & (xy[2 * i] < 1.4f) & (xy[2 * i + 1] > 0.6f) & (xy[2 * i + 1] < 1.4f);
}
