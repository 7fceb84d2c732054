/* Fast Fourier transform of 2^BITS points, by halves: fft BITS */
#include "example.h"
#include <math.h>

void fft(int n, double *re, double *im, const double *cosine, const double *sine) {
    for (int half = 1; half < n; half *= 2) {
        int step = n / (2 * half);
#pragma omp parallel for
        for (int k = 0; k < n / 2; k++) {
            int i = 2 * half * (k / half) + k % half, j = i + half, w = step * (k % half);
            double r = re[j] * cosine[w] - im[j] * sine[w], m = re[j] * sine[w] + im[j] * cosine[w];
            re[j] = re[i] - r;
            im[j] = im[i] - m;
            re[i] += r;
            im[i] += m;
        }
    }
}

int main(int argc, char **argv) {
    int bits = size_argument(argc, argv, 1, 12), n = 1 << bits;
    double *re = numbers(n, 18), *im = numbers(n, 19), *cosine = numbers(n, 1), *sine = numbers(n, 1);
    for (int i = 0; i < n; i++) {
        cosine[i] = cos(6.283185307179586 * i / n);
        sine[i] = -sin(6.283185307179586 * i / n);
    }
    double started = now();
    fft(n, re, im, cosine, sine);
    report(started, re, n);
    free(re);
    free(im);
    free(cosine);
    free(sine);
}
