struct view {
    const double *data;
    int size;
    double at(int i) const
    {
        if (i < 0 || i >= size)
            __builtin_trap();
        return data[i];
    }
};
extern "C" {
void scaled(int n, const double *in, double *out)
{
    view v{in, n};
    for (int i = 0; i + 1 < n; i++)
        out[i] = 0.5 * v.at(i + 1);
}
}
