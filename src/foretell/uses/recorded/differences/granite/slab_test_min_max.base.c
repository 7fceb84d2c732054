void slab_near(int n, const float *lo, const float *hi, const float *inv, float *near)
{
    for (int i = 0; i < n; i++) {
        float t0 = lo[i] * inv[i], t1 = hi[i] * inv[i];
        if (t0 > t1) {
            float t = t0;
            t0 = t1;
            t1 = t;
        }
        if (t0 > near[i])
            near[i] = t0;
    }
}
