struct complex_number { double re, im; };
void complex_product(int n, const struct complex_number *restrict a, const struct complex_number *restrict b, struct complex_number *restrict c)
{
    for (int i = 0; i < n; i++) {
        c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
        c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
    }
}
