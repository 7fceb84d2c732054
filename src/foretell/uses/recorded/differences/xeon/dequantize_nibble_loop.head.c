void dequantize(int n, float d, const unsigned char *restrict q, float *restrict y)
{
    for (int i = 0; i < n; i++) {
        y[i] = d * (float)((q[i] & 15) - 8);
        y[n + i] = d * (float)((q[i] >> 4) - 8);
    }
}
