void order_blocks(int n, const int *in, int *out)
{
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 8; i++) {
            out[8 * b + i] = in[8 * b + i];
            for (int k = i; k > 0 && out[8 * b + k] < out[8 * b + k - 1]; k--) {
                int t = out[8 * b + k];
                out[8 * b + k] = out[8 * b + k - 1];
                out[8 * b + k - 1] = t;
            }
        }
}
