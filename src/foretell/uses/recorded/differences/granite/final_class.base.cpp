namespace {
struct Shape {
    virtual ~Shape() = default;
    virtual double area(double r) const = 0;
};
struct Circle : Shape {
    double area(double r) const override { return 3.14159 * r * r; }
};
[[gnu::noipa]] const Shape& shape()
{
    static const Circle circle;
    return circle;
}
}  // namespace

extern "C" {
void area_sum(int n, const double *r, double *out)
{
    const Shape& one = shape();
    for (int i = 0; i < n; ++i)
        out[i] = one.area(r[i]);
}
}
