#include <stdint.h>
void edit_row(int n, const uint8_t *restrict text, const int *restrict above, int *restrict row)
{
    int left = row[0] = above[0] + 1;
    for (int j = 1; j <= n; j++) {
        int replaced = above[j - 1] + (text[j] != 101), removed = above[j] + 1, added = left + 1;
        int best = removed < replaced ? removed : replaced;
        left = row[j] = added < best ? added : best;
    }
}
