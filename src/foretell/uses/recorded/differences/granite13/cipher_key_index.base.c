#include <stdint.h>

void xor_key(int n, int len, const uint8_t *key, uint8_t *data)
{
    for (int i = 0; i < n; i++)
        data[i] ^= key[i % len];
}
