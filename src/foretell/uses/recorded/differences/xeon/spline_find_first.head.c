void segment(int n, const float *restrict knots, const float *restrict x, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < 15; j++)
            k += x[i] > knots[j];
        out[i] = k;
    }
}
