void weighted(int n, const float *v, const float *w, float *out)
{
    float s = 0;
    if (w)
        for (int i = 0; i < n; i++)
            s += v[i] * w[i];
    else
        for (int i = 0; i < n; i++)
            s += v[i];
    *out = s;
}
