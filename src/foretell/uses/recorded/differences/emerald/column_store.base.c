struct order { double price, quantity, tax, discount; };
void total_price(int n, const struct order *restrict o, double *restrict out)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += o[i].price * o[i].quantity;
    *out = total;
}
