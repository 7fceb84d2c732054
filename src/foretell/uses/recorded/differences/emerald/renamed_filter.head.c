void smooth_line(int n, const double *restrict in, double *restrict out)
{
    for (int index = 0; index < n; index++) {
        double a = in[index], b = in[index + 1], c = in[index + 2];
        out[index] = 0.25 * a + 0.5 * b + 0.25 * c;
    }
}
