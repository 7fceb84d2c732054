extern "C" {
void mark_alive(int n, const unsigned *id, unsigned *bits)
{
    unsigned char *flag = reinterpret_cast<unsigned char *>(bits);
    for (int i = 0; i < n; ++i) {
        const unsigned k = id[i] & 255u;
        flag[k] = 1;
    }
}
}
