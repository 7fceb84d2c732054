extern "C" {
void alternate(int n, const double *__restrict in, double *__restrict out)
{
    double sign = 1;
    for (int i = 0; i < n; i++) {
        out[i] = sign * in[i];
        sign = -sign;
    }
}
}
