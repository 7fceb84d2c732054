#include <stdint.h>
#include <string.h>
void hash_block(int n, const uint8_t *restrict data, uint64_t *restrict out)
{
    uint64_t h = 0;
    for (int i = 0; i + 7 < n; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
    }
    *out = h;
}
