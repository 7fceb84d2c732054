void invert(int n, const double *restrict m, double *restrict r)
{
    for (int i = 0; i < n; i++) {
        double a = m[4 * i], b = m[4 * i + 1], c = m[4 * i + 2], d = m[4 * i + 3];
        double inverse = 1.0 / (a * d - b * c + 2.0);
        r[4 * i] = d * inverse;
        r[4 * i + 1] = -b * inverse;
        r[4 * i + 2] = -c * inverse;
        r[4 * i + 3] = a * inverse;
    }
}
