void matvec(int n, const float *restrict w, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i += 4) {
        float s = 0, t = 0, u = 0, v = 0;
        for (int j = 0; j < n; j++) {
            s += w[i * n + j] * x[j];
            t += w[(i + 1) * n + j] * x[j];
            u += w[(i + 2) * n + j] * x[j];
            v += w[(i + 3) * n + j] * x[j];
        }
        y[i] = s;
        y[i + 1] = t;
        y[i + 2] = u;
        y[i + 3] = v;
    }
}
