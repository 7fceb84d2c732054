void cells(int n, int width, const int *restrict x, int *restrict c)
{
    const float inverse = 1.0f / (float)width;
    for (int i = 0; i < n; i++) {
        int row = (int)((float)x[i] * inverse);
        c[i] = row * 64 + (x[i] - row * width);
    }
}
