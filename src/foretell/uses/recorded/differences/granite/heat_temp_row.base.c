#define AT(y, x) ((y) * (nx + 2) + (x))

void diffuse3(int ny, int nx, const double *restrict t, double *restrict out)
{
    for (int y = 1; y < ny; y++)
        for (int x = 1; x <= nx - 1; x++)
            out[y * nx + x] = 0.2 * (t[y * nx + x] + t[y * nx + x - 1] + t[y * nx + x + 1] + t[y * nx + x - nx] +
                                     t[y * nx + x + nx]);
}
