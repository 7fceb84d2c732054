void envelope_max(int n, const double *x, double *out)
{
    double m = x[0], k = x[0];
    for (int i = 0; i + 1 < n; i += 2) {
        m = x[i] > m ? x[i] : m;
        k = x[i + 1] > k ? x[i + 1] : k;
    }
    *out = m > k ? m : k;
}
