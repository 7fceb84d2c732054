/* n = 512 */
void logits(int n, double x[64][n], double w[n][n], double bias[n], double y[64][n]) {
    for (int b = 0; b < 64; b++)
        for (int o = 0; o < n; o++) {
            double s = bias[o];
            for (int i = 0; i < n; i++)
                s += x[b][i] * w[o][i];
            y[b][o] = s > 0 ? s : 0.0;
        }
}
