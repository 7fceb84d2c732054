void rectify(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float v = in[i] - 1.0f;
        if (v < 0)
            v = -v;
        out[i] = v;
    }
}
