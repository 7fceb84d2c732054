#include <stdint.h>
void checksum(int n, const uint8_t *restrict in, int *restrict out)
{
    int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i += 4) {
        s0 += in[i];
        s1 += in[i + 1];
        s2 += in[i + 2];
        s3 += in[i + 3];
    }
    out[0] = s0 + s1 + s2 + s3;
}
