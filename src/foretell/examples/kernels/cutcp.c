/* Coulomb potential of atoms on a grid, cut off at a distance: cutcp GRID ATOMS */
#include "example.h"

void cutcp(int n, int atoms, const double *atom, double *grid) {
    const double cut2 = 0.04;
#pragma omp parallel for
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                double sum = 0;
                for (int a = 0; a < atoms; a++) {
                    double dx = atom[4 * a] - (double)x / n, dy = atom[4 * a + 1] - (double)y / n;
                    double dz = atom[4 * a + 2] - (double)z / n, r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 < cut2) {
                        double s = 1.0 - r2 / cut2;
                        sum += atom[4 * a + 3] * s * s / __builtin_sqrt(r2 + 1e-9);
                    }
                }
                grid[((size_t)z * n + y) * n + x] = sum;
            }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 16), atoms = size_argument(argc, argv, 2, 100);
    double *atom = numbers(4 * (size_t)atoms, 16), *grid = numbers((size_t)n * n * n, 17);
    double started = now();
    cutcp(n, atoms, atom, grid);
    report(started, grid, (size_t)n * n * n);
    free(atom);
    free(grid);
}
