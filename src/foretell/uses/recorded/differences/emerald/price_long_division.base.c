void unit_price(int n, const long *restrict total, const long *restrict count, long *restrict unit)
{
    for (int i = 0; i < n; i++)
        unit[i] = total[i] / count[i];
}
