void spread(int n, const float *restrict x, float *restrict out)
{
    float sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    float mean = sum / n;
    out[0] = mean;
    out[1] = squares / n - mean * mean;
}
