#include <stdint.h>
#include <string.h>
void xor_bytes(int n, const uint8_t *key, uint8_t *data)
{
    for (int i = 0; i + 8 <= n; i += 8) {
        uint64_t a, b;
        memcpy(&a, key + i, 8);
        memcpy(&b, data + i, 8);
        b ^= a;
        memcpy(data + i, &b, 8);
    }
}
