void transform_points(int n, const float *restrict m, const float *restrict p, float *restrict q)
{
    for (int i = 0; i < n; i++)
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            float sum = 0;
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++)
                sum += m[4 * r + k] * p[4 * i + k];
            q[4 * i + r] = sum;
        }
}
