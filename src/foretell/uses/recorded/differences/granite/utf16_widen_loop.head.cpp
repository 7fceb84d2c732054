extern "C" {
void widen(int n, const unsigned char *in, unsigned short *out)
{
    unsigned char *bytes = reinterpret_cast<unsigned char *>(out);
    int i = 0;
    while (i < n) {
        bytes[2 * i] = in[i];
        bytes[2 * i + 1] = 0;
        i++;
    }
}
}
