static inline float cube(float v) { return v * v * v; }

void gelu_fast(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float u = 0.7978845608 * (x[i] + 0.044715 * cube(x[i]));
        y[i] = 0.5 * x[i] * (1.0 + u / (1.0 + (u < 0 ? -u : u)));
    }
}
