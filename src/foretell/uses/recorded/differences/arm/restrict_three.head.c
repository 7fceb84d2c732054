void blend(int n, const float * a, const float * b, float * c)
{
    for (int i = 0; i < n; i++)
        c[i] = 0.3f * a[i] + 0.7f * b[i];
}
