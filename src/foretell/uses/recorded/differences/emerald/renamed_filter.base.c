void smooth_line(int n, const double *restrict in, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        double left = in[i], mid = in[i + 1], right = in[i + 2];
        out[i] = 0.25 * left + 0.5 * mid + 0.25 * right;
    }
}
