void integral_image(int n, const float *in, float *out)
{
    for (int i = 1; i < n; i++) {
        float row = 0;
        for (int j = 1; j < n; j++) {
            row += in[i * n + j];
            out[i * n + j] = row + out[(i - 1) * n + j];
        }
    }
}
