#include <algorithm>
extern "C" {
void clamp_all(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] < 0 ? 0 : in[i] > 4095 ? 4095 : in[i];
}
}
