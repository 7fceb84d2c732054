extern "C" {
void negate_tail(int n, double *values)
{
    for (double *it = values; it != values + n; ++it)
        *it = -*it;
}
}
