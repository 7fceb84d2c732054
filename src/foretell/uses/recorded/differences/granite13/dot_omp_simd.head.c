void correlation(int n, const float *a, const float *b, float *out)
{
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    *out = s;
}
