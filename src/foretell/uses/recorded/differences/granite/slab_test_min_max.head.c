static inline float smaller(float a, float b) { return a < b ? a : b; }
static inline float larger(float a, float b) { return a > b ? a : b; }

void slab_near(int n, const float *lo, const float *hi, const float *inv, float *near)
{
    for (int i = 0; i < n; i++) {
        float t0 = lo[i] * inv[i], t1 = hi[i] * inv[i];
        near[i] = larger(near[i], smaller(t0, t1));
    }
}
