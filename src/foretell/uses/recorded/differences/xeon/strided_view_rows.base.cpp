struct pixel {
    float r, g, b, a;
};
extern "C" {
void green(int n, const float *in, float *__restrict out)
{
    const pixel *p = reinterpret_cast<const pixel *>(in);
    for (int i = 0; i < n; i++)
        out[i] = p[i].g;
}
}
