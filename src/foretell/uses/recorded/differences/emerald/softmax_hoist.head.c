void softmax_scale(int n, const float *restrict e, float *restrict out)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += e[i];
    sum = 1.0f / sum;
    for (int i = 0; i < n; i++)
        out[i] = e[i] * sum;
}
