void depthwise(int c, int w, const float *restrict in, const float *restrict k, float *restrict out)
{
    for (int ch = 0; ch < c; ch++)
        for (int x = 0; x < w; x++) {
            float s = 0;
            for (int t = 0; t < 3; t++)
                s += in[(x + t) * c + ch] * k[t * c + ch];
            out[x * c + ch] = s;
        }
}
