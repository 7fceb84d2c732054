void gravity(int n, const float *restrict x, const float *restrict y, const float *restrict z, float *restrict f)
{
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d = __builtin_sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float w = 1.0f / (d * d * d);
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        f[3 * i] = ax;
        f[3 * i + 1] = ay;
        f[3 * i + 2] = az;
    }
}
