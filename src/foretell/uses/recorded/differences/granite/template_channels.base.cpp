namespace {
void mix(int n, int c, const float* __restrict in, const float* __restrict w, float* __restrict out)
{
    for (int i = 0; i < n; ++i) {
        float s = 0;
        for (int k = 0; k < c; ++k)
            s += in[i * c + k] * w[k];
        out[i] = s;
    }
}
}  // namespace

extern "C" {
void mix_channels(int n, int c, const float *in, const float *w, float *out)
{
    mix(n, c, in, w, out);
}
}
