#include <stdint.h>
void count_escapes(int n, const uint8_t *restrict in, int *restrict found)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        switch (in[i] & 63) {
        case 9: case 10: case 13: case 34: case 39: case 47: case 60: case 62:
            k++;
        }
    *found = k;
}
