void total_price(int n, const double *restrict columns, double *restrict out)
{
    const double *price = columns, *quantity = columns + n;
    double total = 0;
    for (int i = 0; i < n; i++)
        total += price[i] * quantity[i];
    *out = total;
}
