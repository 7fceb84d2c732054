#include <stdint.h>
#include <stdlib.h>

void unfilter_paeth(int n, const uint8_t *raw, const uint8_t *up, uint8_t *row)
{
    int left = 0, corner = 0;
    for (int i = 0; i < n; i++) {
        int p = left + up[i] - corner;
        int pa = abs(p - left), pb = abs(p - up[i]), pc = abs(p - corner);
        int best;
        if (pa <= pb && pa <= pc)
            best = left;
        else if (pb <= pc)
            best = up[i];
        else
            best = corner;
        corner = up[i];
        left = row[i] = (uint8_t)(raw[i] + best);
    }
}
