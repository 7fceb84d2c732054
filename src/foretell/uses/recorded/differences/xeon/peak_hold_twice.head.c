void normalise(int n, const float *restrict x, float *restrict y)
{
    float top = 0, low = 0;
    for (int i = 0; i < n; i++)
        top = x[i] > top ? x[i] : top;
    for (int i = 0; i < n; i++)
        low = x[i] < low ? x[i] : low;
    float scale = 1.0f / (top > -low ? top : -low);
    for (int i = 0; i < n; i++)
        y[i] = x[i] * scale;
}
