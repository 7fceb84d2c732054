namespace {
template <bool Fog>
void shaded(int n, const float* depth, float* colour)
{
    for (int i = 0; i < n; ++i) {
        float c = colour[i] * 0.9f;
        if constexpr (Fog)
            c = c + (1.0f - c) * depth[i];
        colour[i] = c;
    }
}
}  // namespace

extern "C" {
void shade(int n, int fog, const float *depth, float *colour)
{
    if (fog)
        shaded<true>(n, depth, colour);
    else
        shaded<false>(n, depth, colour);
}
}
