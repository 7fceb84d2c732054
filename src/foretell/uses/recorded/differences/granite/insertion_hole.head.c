void order_blocks(int n, const int *in, int *out)
{
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 8; i++) {
            int v = in[8 * b + i], k = i;
            while (k > 0 && v < out[8 * b + k - 1]) {
                out[8 * b + k] = out[8 * b + k - 1];
                k--;
            }
            out[8 * b + k] = v;
        }
}
