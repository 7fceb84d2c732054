#include <cstdint>

extern "C" {
void digest(int n, const uint32_t *word, uint32_t *out)
{
    uint32_t h = 0x811c9dc5u;
    for (int i = 0; i < n; ++i) {
        uint32_t k = word[i] * 0x2c1b3c6du;
        k ^= k >> 15;
        h = (h ^ k) * 0x01000193u;
    }
    *out = h;
}
}
