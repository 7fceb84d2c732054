#include <cstring>

extern "C" {
void next_newline(int n, const unsigned char *text, int *at)
{
    const void *p = std::memchr(text, '\n', n);
    *at = p ? static_cast<int>(static_cast<const unsigned char *>(p) - text) : n;
}
}
