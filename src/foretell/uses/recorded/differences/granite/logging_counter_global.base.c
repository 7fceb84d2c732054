static unsigned long decoded;

void decode_all(int n, const unsigned char *in, unsigned char *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i] ^ 0x5a;
        decoded++;
    }
}
