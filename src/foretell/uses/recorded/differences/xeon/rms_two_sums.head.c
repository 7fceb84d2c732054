void rms(int n, const float *x, float *out)
{
    float s = 0, t = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        s += x[i] * x[i];
        t += x[i + 1] * x[i + 1];
    }
    out[0] = (s + t) / n;
}
