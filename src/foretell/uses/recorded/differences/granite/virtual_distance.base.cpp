namespace {
struct Metric {
    virtual ~Metric() = default;
    virtual double operator()(double a, double b) const = 0;
};
struct L2 : Metric {
    double operator()(double a, double b) const override { return (a - b) * (a - b); }
};
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
    L2 metric;
    *out = total(metric, n, a, b);
}
}
