#include <stdint.h>
#include <stdlib.h>

void unfilter_paeth(int n, const uint8_t *raw, const uint8_t *up, uint8_t *row)
{
    int left = 0, corner = 0;
    for (int i = 0; i < n; i++) {
        int b = up[i];
        int pa = abs(b - corner), pb = abs(left - corner), pc = abs(left + b - 2 * corner);
        int best = pb <= pc ? b : corner;
        int other = pb <= pc ? pb : pc;
        best = pa <= other ? left : best;
        corner = b;
        left = row[i] = (uint8_t)(raw[i] + best);
    }
}
