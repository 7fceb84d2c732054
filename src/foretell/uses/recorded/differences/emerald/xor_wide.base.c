#include <stdint.h>
void xor_bytes(int n, const uint8_t *key, uint8_t *data)
{
    for (int i = 0; i < n; i++)
        data[i] ^= key[i];
}
