static const unsigned char nibble[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

void weight_words(int n, const unsigned *w, unsigned *out)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < 32; s += 4)
            total += nibble[w[i] >> s & 15];
    *out = total;
}
