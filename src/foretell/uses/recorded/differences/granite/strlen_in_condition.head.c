#include <string.h>

void upper_all(unsigned char *s, unsigned char *out)
{
    s[200] = 0;
    unsigned n = strlen((const char *)s);
    for (unsigned i = 0; i < n; i++)
        out[i] = s[i] - 32 * (s[i] >= 'a' && s[i] <= 'z');
}
