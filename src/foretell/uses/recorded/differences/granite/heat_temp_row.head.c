void diffuse3(int ny, int nx, const double *restrict t, double *restrict out)
{
    for (int y = 1; y < ny; y++) {
        double left = t[y * nx], here = t[y * nx + 1];
        for (int x = 1; x <= nx - 1; x++) {
            double right = t[y * nx + x + 1];
            out[y * nx + x] = 0.2 * (here + left + right + t[y * nx + x - nx] + t[y * nx + x + nx]);
            left = here;
            here = right;
        }
    }
}
