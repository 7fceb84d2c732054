#include <stdint.h>
void edit_row(int n, const uint8_t *restrict text, const int *restrict above, int *restrict row)
{
    row[0] = above[0] + 1;
    for (int j = 1; j <= n; j++) {
        if (text[j] == 101) {
            row[j] = above[j - 1];
            continue;
        }
        int best = above[j - 1];
        if (above[j] < best)
            best = above[j];
        if (row[j - 1] < best)
            best = row[j - 1];
        row[j] = best + 1;
    }
}
