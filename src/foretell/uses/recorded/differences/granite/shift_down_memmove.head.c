#include <string.h>

void drop_first(int n, double *a)
{
    memmove(a, a + 1, n * sizeof *a);
}
