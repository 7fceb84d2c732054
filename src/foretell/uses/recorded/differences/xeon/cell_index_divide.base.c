void cells(int n, int width, const int *restrict x, int *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = x[i] / width * 64 + x[i] % width;
}
