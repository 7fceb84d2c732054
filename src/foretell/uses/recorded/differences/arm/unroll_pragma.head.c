void squared_distance(int n, const float *restrict a, const float *restrict b, float *restrict out)
{
    float s = 0;
    _Pragma("GCC unroll 4")
    for (int i = 0; i < n; i++)
        s += (a[i] - b[i]) * (a[i] - b[i]);
    out[0] = s;
}
