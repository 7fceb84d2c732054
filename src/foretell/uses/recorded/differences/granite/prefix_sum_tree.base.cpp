extern "C" {
void prefix(int n, const float *x, float *out)
{
    float s = 0.f;
    for (int i = 0; i < n; ++i) {
        s += x[i];
        out[i] = s;
    }
}
}
