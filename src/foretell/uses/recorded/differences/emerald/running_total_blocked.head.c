void running(int n, const float *restrict x, float *restrict out)
{
    float sum = 0;
    for (int i = 0; i < n; i += 4) {
        float a = x[i], b = a + x[i + 1], c = b + x[i + 2], d = c + x[i + 3];
        out[i] = sum + a;
        out[i + 1] = sum + b;
        out[i + 2] = sum + c;
        out[i + 3] = sum + d;
        sum += d;
    }
}
