extern "C" {
void until(int n, const int *x, int *out)
{
    int s = 0;
    for (int i = 0; i < n && x[i] >= 0; i++)
        s += x[i];
    *out = s;
}
}
