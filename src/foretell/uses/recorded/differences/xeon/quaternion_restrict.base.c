void turn(int n, const float *p, const float *q, float *r)
{
    for (int i = 0; i < n; i++) {
        r[4 * i] = p[4 * i] * q[4 * i] - p[4 * i + 1] * q[4 * i + 1];
        r[4 * i + 1] = p[4 * i] * q[4 * i + 1] + p[4 * i + 1] * q[4 * i];
        r[4 * i + 2] = p[4 * i + 2] * q[4 * i + 2] - p[4 * i + 3] * q[4 * i + 3];
        r[4 * i + 3] = p[4 * i + 2] * q[4 * i + 3] + p[4 * i + 3] * q[4 * i + 2];
    }
}
