void running(int n, const float *restrict x, float *restrict out)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        out[i] = sum;
    }
}
