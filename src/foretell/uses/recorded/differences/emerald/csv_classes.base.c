#include <stdint.h>
void count_fields(int n, const uint8_t *restrict in, int *restrict found)
{
    int commas = 0, lines = 0, quotes = 0;
    for (int i = 0; i < n; i++) {
        if (in[i] < 80)
            commas++;
        else if (in[i] < 160)
            lines++;
        else if (in[i] < 200)
            quotes++;
    }
    found[0] = commas;
    found[1] = lines;
    found[2] = quotes;
}
