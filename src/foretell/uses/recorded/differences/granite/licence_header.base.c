void saxpby(int n, float a, float b, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + b * y[i];
}
