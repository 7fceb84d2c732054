extern "C" {
void shade(int n, int fog, const float *depth, float *colour)
{
    for (int i = 0; i < n; ++i) {
        float c = colour[i] * 0.9f;
        if (fog)
            c = c + (1.0f - c) * depth[i];
        colour[i] = c;
    }
}
}
