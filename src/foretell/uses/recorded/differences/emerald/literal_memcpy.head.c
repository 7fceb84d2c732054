#include <string.h>
void copy_literals(int n, const unsigned char *src, unsigned char *dst)
{
    memcpy(dst, src, n);
}
