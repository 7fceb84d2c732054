extern "C" {
void prefix(int n, const float *x, float *out)
{
    float s = 0.f;
    for (int i = 0; i + 3 < n; i += 4) {
        const float a = x[i], b = a + x[i + 1], c = b + x[i + 2], d = c + x[i + 3];
        out[i] = s + a;
        out[i + 1] = s + b;
        out[i + 2] = s + c;
        out[i + 3] = s + d;
        s += d;
    }
}
}
