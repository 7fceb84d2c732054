void matvec(int n, const float *restrict w, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += w[i * n + j] * x[j];
        y[i] = s;
    }
}
