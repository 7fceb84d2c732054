#include <stdio.h>

void fsweep_(const int *n, double *a);
double norm_c(int n, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    return s;
}
double ask(int n, const double *a);

int main(void) {
    double a[8];
    int n = 8;
    for (int i = 0; i < n; i++) a[i] = i + 0.5;
    fsweep_(&n, a);
    for (int i = 0; i < n; i++) printf("%g\n", a[i]);
    printf("%g\n", ask(n, a));
    return 0;
}
