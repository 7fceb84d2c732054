extern "C" {
void quantise(int n, const float *v, const float *edges, unsigned char *code)
{
    for (int i = 0; i < n; ++i) {
        int k = 0;
        for (int j = 0; j < 16; ++j)
            k += edges[j] < v[i];
        code[i] = static_cast<unsigned char>(k);
    }
}
}
