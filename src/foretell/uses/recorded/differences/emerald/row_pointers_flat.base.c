void scale_rows(int rows, int width, const double *restrict by, double *restrict a)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            a[y * width + x] /= by[y];
}
