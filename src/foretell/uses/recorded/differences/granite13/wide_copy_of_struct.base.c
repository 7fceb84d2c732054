struct light {
    float position[4], colour[4], fall[8];
};

static __attribute__((noinline)) float lit(struct light l, float x)
{
    return l.colour[0] * x + l.fall[3];
}

void shade_all(int n, const float *x, float *y)
{
    struct light l = {{1, 2, 3, 4}, {0.5f, 0.5f, 0.5f, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
    for (int i = 0; i < n; i++)
        y[i] = lit(l, x[i]);
}
