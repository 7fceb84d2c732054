#include <cstdint>

extern "C" {
void digest(int n, const uint32_t *word, uint32_t *out)
{
    uint32_t h = 0x811c9dc5u;
    for (int i = 0; i < n; ++i) {
        h ^= word[i];
        h *= 0x01000193u;
        h ^= h >> 15;
        h *= 0x2c1b3c6du;
    }
    *out = h;
}
}
