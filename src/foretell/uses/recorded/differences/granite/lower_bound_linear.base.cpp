#include <algorithm>

extern "C" {
void quantise(int n, const float *v, const float *edges, unsigned char *code)
{
    for (int i = 0; i < n; ++i)
        code[i] = static_cast<unsigned char>(std::lower_bound(edges, edges + 16, v[i]) - edges);
}
}
