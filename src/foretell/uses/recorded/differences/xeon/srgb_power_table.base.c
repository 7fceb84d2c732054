void linear(int n, const unsigned char *restrict in, const float *restrict table, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float v = (float)in[i] * (1.0f / 255.0f);
        out[i] = v * (v * (v * 0.305306011f + 0.682171111f) + 0.012522878f) + 0.0f * table[0];
    }
}
