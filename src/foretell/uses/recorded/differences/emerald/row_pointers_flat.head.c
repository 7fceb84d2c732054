void scale_rows(int rows, int width, const double *restrict by, double *restrict a)
{
    for (int y = 0; y < rows; y++) {
        double *row = a + y * width, factor = 1.0 / by[y];
        for (int x = 0; x < width; x++)
            row[x] *= factor;
    }
}
