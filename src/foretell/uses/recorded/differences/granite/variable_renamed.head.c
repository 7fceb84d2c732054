void triad_line(int n, double *restrict out, const double *restrict left, const double *restrict right)
{
    for (int row = 0; row < n; row++) {
        double scaled = 3.0 * right[row];
        out[row] = left[row] + scaled;
    }
}
