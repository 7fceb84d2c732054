void brighten(int rows, int columns, float *restrict image)
{
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < rows; y++)
            image[y * columns + x] = 1.2f * image[y * columns + x] + 0.1f;
}
