/* Accelerations of bodies that all attract each other: nbody N */
#include "example.h"
#include <math.h>

void nbody(int n, const double *x, const double *y, const double *z, const double *mass, double *acceleration) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const double inverse = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
            const double pull = mass[j] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        acceleration[3 * i] = ax;
        acceleration[3 * i + 1] = ay;
        acceleration[3 * i + 2] = az;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 500);
    double *x = numbers(n, 37), *y = numbers(n, 38), *z = numbers(n, 39), *mass = numbers(n, 40);
    double *acceleration = numbers(3 * (size_t)n, 41);
    double started = now();
    nbody(n, x, y, z, mass, acceleration);
    /* forces between two bodies cancel: a sum of squares does not */
    for (int i = 0; i < 3 * n; i++) acceleration[i] *= acceleration[i];
    report(started, acceleration, 3 * (size_t)n);
    free(x);
    free(y);
    free(z);
    free(mass);
    free(acceleration);
}
