extern "C" {
void sum_distance(int n, const int *a, const int *b, long *out)
{
    long s = 0;
    for (int i = 0; i < n; ++i) {
        const int low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        s += static_cast<unsigned>(high) - static_cast<unsigned>(low);
    }
    *out = s;
}
}
