void energies(int n, const double *restrict r2, double *restrict e)
{
    for (int i = 0; i < n; i++) {
        e[i] = 0;
        if (r2[i] < 1.2) {
            double s = 1.0 / (r2[i] * r2[i] * r2[i]);
            e[i] = 4 * s * (s - 1);
        }
    }
}
