#include <stdint.h>
void compare_folded(int n, const uint8_t *restrict a, const uint8_t *restrict b, const uint8_t *restrict fold, int *restrict same)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        k += fold[a[i]] == fold[b[i]];
    *same = k;
}
