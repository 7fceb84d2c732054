void weighted(int n, const float *v, const float *w, float *out)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        if (w)
            s += v[i] * w[i];
        else
            s += v[i];
    }
    *out = s;
}
