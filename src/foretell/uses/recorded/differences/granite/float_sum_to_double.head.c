void energy_of(int n, const float *x, float *e)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (double)x[i] * x[i];
    *e = s;
}
