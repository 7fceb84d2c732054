extern "C" {
void advance_all(int n, float *raw, float dt)
{
    float *pos = raw;
    const float *vel = raw + 4 * n;
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < n; ++i)
            pos[c * n + i] += dt * vel[c * n + i];
}
}
