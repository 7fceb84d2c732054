#include <utility>

extern "C" {
void median5(int n, const int *x, int *out)
{
    for (int i = 0; i < n; ++i) {
        int v[5];
        for (int k = 0; k < 5; ++k)
            v[k] = x[5 * i + k];
        for (int k = 1; k < 5; ++k)
            for (int j = k; j > 0 && v[j - 1] > v[j]; --j)
                std::swap(v[j - 1], v[j]);
        out[i] = v[2];
    }
}
}
