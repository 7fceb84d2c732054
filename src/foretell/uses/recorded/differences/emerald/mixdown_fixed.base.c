void mixdown(int n, int channels, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int c = 0; c < channels; c++)
            sum += in[i * channels + c];
        out[i] = sum / (float)channels;
    }
}
