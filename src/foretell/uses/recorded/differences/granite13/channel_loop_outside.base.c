void planar_gain(int n, int c, float *restrict x, const float *restrict gain)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            x[k * n + i] *= gain[k];
}
