void sum_fields(int n, const unsigned *words, unsigned *out)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++)
        total += (words[i] & 31) * 3 + (words[i] >> 5 & 2047);
    *out = total;
}
