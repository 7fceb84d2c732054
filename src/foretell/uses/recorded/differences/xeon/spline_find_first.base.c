void segment(int n, const float *restrict knots, const float *restrict x, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < 15 && x[i] > knots[k])
            k++;
        out[i] = k;
    }
}
