void quantize(int n, const float *x, int *q)
{
    for (int i = 0; i < n; i++) {
        float v = x[i] * 127.0f;
        q[i] = (int)(v + (v < 0 ? -0.5f : 0.5f));
    }
}
