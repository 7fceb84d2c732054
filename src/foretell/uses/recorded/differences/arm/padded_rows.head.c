#define PITCH 520
void column_norms(int n, const float *restrict a, float *restrict out)
{
    for (int j = 0; j < n; j += 16)
        for (int i = 0; i < n; i++)
            out[j] += a[i * PITCH + j] * a[i * PITCH + j];
}
