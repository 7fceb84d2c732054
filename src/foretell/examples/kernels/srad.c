/* Speckle-reducing anisotropic diffusion of an image: srad N STEPS */
#include "example.h"

void srad(int n, int steps, double *image, double *c, double *dn, double *ds, double *dw, double *de) {
    for (int s = 0; s < steps; s++) {
        double sum = 0, squares = 0;
#pragma omp parallel for reduction(+ : sum, squares)
        for (int p = 0; p < n * n; p++) {
            sum += image[p];
            squares += image[p] * image[p];
        }
        double mean = sum / (n * n), q0 = (squares / (n * n) - mean * mean) / (mean * mean);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int p = i * n + j;
                double here = image[p];
                dn[p] = image[i > 0 ? p - n : p] - here;
                ds[p] = image[i < n - 1 ? p + n : p] - here;
                dw[p] = image[j > 0 ? p - 1 : p] - here;
                de[p] = image[j < n - 1 ? p + 1 : p] - here;
                double g2 = (dn[p] * dn[p] + ds[p] * ds[p] + dw[p] * dw[p] + de[p] * de[p]) / (here * here);
                double l = (dn[p] + ds[p] + dw[p] + de[p]) / here;
                double d = 1.0 + 0.25 * l, q = (0.5 * g2 - 0.0625 * l * l) / (d * d);
                double v = 1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)));
                c[p] = v < 0 ? 0 : v > 1 ? 1 : v;
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int p = i * n + j;
                double south = c[i < n - 1 ? p + n : p], east = c[j < n - 1 ? p + 1 : p];
                image[p] += 0.125 * (c[p] * dn[p] + south * ds[p] + c[p] * dw[p] + east * de[p]);
            }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 256), steps = size_argument(argc, argv, 2, 2);
    size_t cells = (size_t)n * n;
    double *image = numbers(cells, 5), *work = numbers(5 * cells, 6);
    for (size_t p = 0; p < cells; p++) image[p] += 1.0;
    double started = now();
    srad(n, steps, image, work, work + cells, work + 2 * cells, work + 3 * cells, work + 4 * cells);
    report(started, image, cells);
    free(image);
    free(work);
}
