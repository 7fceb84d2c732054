#include <numeric>
extern "C" {
void total(int n, const double *x, double *out) { *out = std::accumulate(x, x + n, 0.0); }
}
