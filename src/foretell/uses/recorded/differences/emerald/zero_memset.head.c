#include <string.h>
void clear_block(int n, int *block)
{
    memset(block, 0, n * sizeof *block);
}
