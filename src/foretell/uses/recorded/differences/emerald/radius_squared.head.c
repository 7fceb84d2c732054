void near(int n, float radius, const float *restrict x, const float *restrict y, int *restrict found)
{
    int k = 0;
    float limit = radius * radius;
    for (int i = 0; i < n; i++)
        k += x[i] * x[i] + y[i] * y[i] < limit;
    found[0] = k;
}
