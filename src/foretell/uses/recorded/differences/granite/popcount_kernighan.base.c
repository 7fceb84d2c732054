void weight_words(int n, const unsigned *w, unsigned *out)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = w[i];
        v = v - (v >> 1 & 0x55555555u);
        v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
        total += ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
    }
    *out = total;
}
