extern "C" {
void until(int n, const int *x, int *out)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] >= 0 ? x[i] : 0;
    *out = s;
}
}
