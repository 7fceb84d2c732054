extern "C" {
void pull_values(int n, const int *index, const double *from, double *to)
{
    for (int i = 0; i < n; ++i)
        to[i] = from[index[i]];
}
}
