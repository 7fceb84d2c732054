extern "C" {
void widen(int n, const unsigned char *in, unsigned short *out)
{
    int i = 0;
    while (i < n) {
        out[i] = in[i];
        i++;
    }
}
}
