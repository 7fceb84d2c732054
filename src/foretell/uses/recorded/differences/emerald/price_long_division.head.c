void unit_price(int n, const int *restrict total, const int *restrict count, int *restrict unit)
{
    for (int i = 0; i < n; i++)
        unit[i] = total[i] / count[i];
}
