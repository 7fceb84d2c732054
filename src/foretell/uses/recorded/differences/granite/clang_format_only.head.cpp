extern "C" {
void tone_map(int n, const float *hdr, float *ldr)
{
    for (int i = 0; i < n; ++i)
    {
        const float v = hdr[i];
        ldr[i]        = v / (1.0f + v);
    }
}
}
