#include <stdint.h>
void count_words(int n, const uint8_t *restrict text, int *restrict words)
{
    int inside = 0, found = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] < 48)
            inside = 0;
        else if (!inside) {
            inside = 1;
            found++;
        }
    }
    words[0] = found;
}
