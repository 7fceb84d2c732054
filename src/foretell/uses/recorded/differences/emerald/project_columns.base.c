void project(int n, int k, const double *restrict q, const double *restrict v, double *restrict out)
{
    for (int j = 0; j < k; j++) {
        out[j] = 0;
        for (int i = 0; i < n; i++)
            out[j] += q[i * k + j] * v[i];
    }
}
