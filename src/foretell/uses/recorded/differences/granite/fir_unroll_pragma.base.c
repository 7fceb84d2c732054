void polyphase(int n, const float *restrict x, const float *restrict h, float *restrict y)
{
    for (int i = 0; i < n; i++) {
        float acc = 0.0f;
        for (int k = 0; k < 16; k++)
            acc += x[i + k] * h[k];
        y[i] = acc;
    }
}
