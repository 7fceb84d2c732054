void calibrate(int n, float offset, float scale, float *restrict data)
{
    for (int i = 0; i < n; i++)
        data[i] = (data[i] - offset) * scale;
}
