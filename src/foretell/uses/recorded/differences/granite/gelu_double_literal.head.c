static inline float cube(float v) { return v * v * v; }

void gelu_fast(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float u = 0.7978845608f * (x[i] + 0.044715f * cube(x[i]));
        y[i] = 0.5f * x[i] * (1.0f + u / (1.0f + (u < 0 ? -u : u)));
    }
}
