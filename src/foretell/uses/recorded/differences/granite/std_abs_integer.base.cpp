extern "C" {
void sum_distance(int n, const int *a, const int *b, long *out)
{
    long s = 0;
    for (int i = 0; i < n; ++i) {
        long d = static_cast<long>(a[i]) - b[i];
        s += d < 0 ? -d : d;
    }
    *out = s;
}
}
