void dequantize(int n, float d, const unsigned char *restrict q, float *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int h = 0; h < 2; h++)
            y[2 * i + h] = d * (float)(((q[i] >> (4 * h)) & 15) - 8);
}
