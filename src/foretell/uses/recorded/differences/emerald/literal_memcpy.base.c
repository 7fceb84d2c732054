#include <string.h>
void copy_literals(int n, const unsigned char *src, unsigned char *dst)
{
    for (int i = 0; i < n; i++)
        dst[i] = src[i];
}
