/* An image under a filter of nine by nine: convolution N */
#include "example.h"
enum { SIDE = 9 };

void convolution(int n, const double *filter, const double *image, double *result) {
    const int wide = n + SIDE - 1; /* of the image with its margin */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int u = 0; u < SIDE; u++)
                for (int v = 0; v < SIDE; v++)
                    sum += filter[u * SIDE + v] * image[(size_t)(i + u) * wide + j + v];
            result[(size_t)i * n + j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 128);
    size_t cells = (size_t)n * n, wide = (size_t)n + SIDE - 1;
    double *filter = numbers(SIDE * SIDE, 44), *image = numbers(wide * wide, 45), *result = numbers(cells, 46);
    double started = now();
    convolution(n, filter, image, result);
    report(started, result, cells);
    free(filter);
    free(image);
    free(result);
}
