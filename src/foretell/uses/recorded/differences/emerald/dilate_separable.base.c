#include <stdint.h>
void dilate(int n, const uint8_t *restrict in, uint8_t *restrict work, uint8_t *restrict out)
{
    (void)work;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            uint8_t m = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++) {
                    uint8_t v = in[(i + a) * n + j + b];
                    m = v > m ? v : m;
                }
            out[i * n + j] = m;
        }
}
