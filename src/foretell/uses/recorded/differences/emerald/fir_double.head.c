void fir(int n, const float *restrict in, const float *restrict taps, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 32; k++)
            sum += in[i + k] * taps[k];
        out[i] = sum;
    }
}
