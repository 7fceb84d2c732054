namespace {
struct Circle final {
    double area(double r) const { return 3.14159 * r * r; }
};
[[gnu::noipa]] const Circle& shape()
{
    static const Circle circle;
    return circle;
}
}  // namespace

extern "C" {
void area_sum(int n, const double *r, double *out)
{
    const Circle& one = shape();
    for (int i = 0; i < n; ++i)
        out[i] = one.area(r[i]);
}
}
