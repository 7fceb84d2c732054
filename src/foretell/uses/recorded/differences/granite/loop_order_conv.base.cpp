extern "C" {
void conv1x1(int ci, int co, int p, const float *__restrict in, const float *__restrict w, float *__restrict out)
{
    for (int o = 0; o < co; ++o)
        for (int x = 0; x < p; ++x) {
            float s = 0.f;
            for (int i = 0; i < ci; ++i)
                s += w[o * ci + i] * in[i * p + x];
            out[o * p + x] = s;
        }
}
}
