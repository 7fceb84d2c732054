#include <stdint.h>
void checksum(int n, const uint8_t *restrict in, int *restrict out)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    out[0] = sum;
}
