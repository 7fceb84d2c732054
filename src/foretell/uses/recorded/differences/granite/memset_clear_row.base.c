void reset_histogram(int bins, unsigned *hist)
{
    int b = 0;
    do {
        hist[b] = 0;
    } while (++b < bins);
}
