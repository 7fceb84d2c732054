struct packet {
    unsigned kind : 5, length : 11, id : 16;
};

void sum_fields(int n, const unsigned *words, unsigned *out)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        struct packet p;
        __builtin_memcpy(&p, words + i, sizeof p);
        total += p.kind * 3 + p.length;
    }
    *out = total;
}
