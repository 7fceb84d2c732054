#include <stdint.h>
void compact_text(int n, const uint8_t *restrict in, uint8_t *restrict out, int *restrict length)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        out[k] = in[i];
        k += in[i] != ' ';
    }
    *length = k;
}
