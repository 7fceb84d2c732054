// Lattice-Boltzmann flow in two dimensions, nine directions: lattice_boltzmann N STEPS
#include <vector>

#include "example.h"

namespace {
constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
}  // namespace

__attribute__((noinline)) void step(int n, const double *from, double *to) {
#pragma omp parallel for
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double f[9], rho = 0, ux = 0, uy = 0;
            for (int d = 0; d < 9; d++) {
                const int sx = (x - cx[d] + n) % n, sy = (y - cy[d] + n) % n;
                f[d] = from[(static_cast<size_t>(sy) * n + sx) * 9 + d];
                rho += f[d];
                ux += cx[d] * f[d];
                uy += cy[d] * f[d];
            }
            ux /= rho;
            uy /= rho;
            for (int d = 0; d < 9; d++) {
                const double cu = 3.0 * (cx[d] * ux + cy[d] * uy);
                const double still = weight[d] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                to[(static_cast<size_t>(y) * n + x) * 9 + d] = f[d] + 0.6 * (still - f[d]);
            }
        }
}

void lattice_boltzmann(int n, int steps, std::vector<double> &a, std::vector<double> &b) {
    for (int t = 0; t < steps; t++) {
        step(n, a.data(), b.data());
        a.swap(b);
    }
}

int main(int argc, char **argv) {
    const int n = size_argument(argc, argv, 1, 64), steps = size_argument(argc, argv, 2, 3);
    std::vector<double> a(static_cast<size_t>(n) * n * 9), b(a.size());
    unsigned state = 27;
    for (double &one : a) one = 0.1 + 0.01 * number(&state);
    const double started = now();
    lattice_boltzmann(n, steps, a, b);
    report(started, a.data(), a.size());
}
