void spread(int n, const float *restrict x, float *restrict out)
{
    float sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    float mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    out[0] = mean;
    out[1] = squares / n;
}
