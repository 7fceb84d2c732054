extern "C" {
void alternate(int n, const double *__restrict in, double *__restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = i % 2 ? -in[i] : in[i];
}
}
