void energy_of(int n, const float *x, float *e)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    *e = s;
}
