#include <cstring>

namespace {
struct Row {
    double v[800];
};
[[gnu::noinline]] double total(const Row& row)
{
    double s = 0;
    for (double x : row.v)
        s += x;
    return s;
}
}  // namespace

extern "C" {
void weigh(int n, const double *x, double *out)
{
    Row row;
    std::memcpy(row.v, x, n * sizeof(double));
    *out = total(row);
}
}
