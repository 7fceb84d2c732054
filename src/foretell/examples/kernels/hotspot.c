/* Temperature of a chip from its power map: hotspot N STEPS */
#include "example.h"

void hotspot(int n, int steps, double *t, double *out, const double *power) {
    const double cap = 0.5, rx = 1.0, ry = 1.2, rz = 80.0, ambient = 0.3;
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                size_t p = (size_t)i * n + j;
                double here = t[p];
                double up = i > 0 ? t[p - n] : here, down = i < n - 1 ? t[p + n] : here;
                double left = j > 0 ? t[p - 1] : here, right = j < n - 1 ? t[p + 1] : here;
                out[p] = here + cap * (power[p] + (up + down - 2.0 * here) / ry + (left + right - 2.0 * here) / rx +
                                       (ambient - here) / rz) * 0.01;
            }
        double *swap = t;
        t = out;
        out = swap;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 512), steps = size_argument(argc, argv, 2, 4);
    size_t cells = (size_t)n * n;
    double *t = numbers(cells, 3), *out = numbers(cells, 3), *power = numbers(cells, 4);
    double started = now();
    hotspot(n, steps, t, out, power);
    report(started, t, cells);
    free(t);
    free(out);
    free(power);
}
