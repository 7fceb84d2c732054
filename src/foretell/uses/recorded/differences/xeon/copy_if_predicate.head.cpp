extern "C" {
void positive(int n, const float *x, float *y, int *count)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        y[kept] = x[i];
        kept += x[i] > 1.0f;
    }
    *count = kept;
}
}
