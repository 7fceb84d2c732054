#include <string.h>

void reset_histogram(int bins, unsigned *hist)
{
    memset(hist, 0, bins * sizeof *hist);
}
