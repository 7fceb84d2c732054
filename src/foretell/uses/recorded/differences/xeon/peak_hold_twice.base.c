void normalise(int n, const float *restrict x, float *restrict y)
{
    float top = 0;
    for (int i = 0; i < n; i++) {
        float a = x[i] < 0 ? -x[i] : x[i];
        top = a > top ? a : top;
    }
    for (int i = 0; i < n; i++)
        y[i] = x[i] / top;
}
