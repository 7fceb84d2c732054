#include <stdint.h>

void opcode_lengths(int n, const uint8_t *code, uint8_t *length)
{
    for (int i = 0; i < n; i++) {
        int l;
        switch (code[i] & 7) {
        case 0: l = 1; break;
        case 1: l = 3; break;
        case 2: l = 2; break;
        case 3: l = 6; break;
        case 4: l = 2; break;
        case 5: l = 5; break;
        case 6: l = 4; break;
        default: l = 9;
        }
        length[i] = (uint8_t)l;
    }
}
