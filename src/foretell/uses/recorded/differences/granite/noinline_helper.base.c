static double weigh(double v)
{
    return v * (1.0 - 0.5 * v);
}

void weigh_all(int n, const double *in, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = weigh(in[i]);
}
