#include <stdint.h>

static const uint8_t LENGTHS[8] = {1, 3, 2, 6, 2, 5, 4, 9};

void opcode_lengths(int n, const uint8_t *code, uint8_t *length)
{
    for (int i = 0; i < n; i++)
        length[i] = LENGTHS[code[i] & 7];
}
