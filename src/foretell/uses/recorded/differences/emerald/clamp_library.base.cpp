extern "C" {
void bounded(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++) {
        int v = in[i] >> 8;
        if (v < -4000000)
            v = -4000000;
        else if (v > 4000000)
            v = 4000000;
        out[i] = v;
    }
}
}
