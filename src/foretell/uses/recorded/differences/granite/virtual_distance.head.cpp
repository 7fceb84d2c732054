namespace {
struct L2 {
    double operator()(double a, double b) const { return (a - b) * (a - b); }
};
template <typename Metric>
[[gnu::noinline]] double total(const Metric& metric, int n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += metric(a[i], b[i]);
    return sum;
}
}  // namespace

extern "C" {
void score(int n, const double *a, const double *b, double *out)
{
    *out = total(L2{}, n, a, b);
}
}
