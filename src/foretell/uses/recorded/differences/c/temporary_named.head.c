void cubic(int n, const double *restrict in, double *restrict out)
{
    for (int k = 0; k < n; k++) {
        double value = in[k];
        double squared = value * value;
        out[k] = squared * value + 1;
    }
}
