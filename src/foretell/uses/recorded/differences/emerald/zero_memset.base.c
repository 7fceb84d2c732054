#include <string.h>
void clear_block(int n, int *block)
{
    for (int i = n - 1; i >= 0; i--)
        block[i] = 0;
}
