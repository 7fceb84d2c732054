#include <algorithm>
extern "C" {
void mirror(int n, const double *in, double *out)
{
    for (int i = 0; i < n; i++)
        out[n - 1 - i] = in[i];
}
}
