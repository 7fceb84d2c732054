static const float TAPER[16] = {1.0f,    0.90909f, 0.83333f, 0.76923f, 0.71429f, 0.66667f, 0.625f,   0.58824f,
                                0.55556f, 0.52632f, 0.5f,     0.47619f, 0.45455f, 0.43478f, 0.41667f, 0.4f};

void apply_window(int n, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] * TAPER[i & 15];
}
