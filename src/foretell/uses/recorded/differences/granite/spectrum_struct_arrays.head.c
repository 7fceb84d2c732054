void apply_filter(int n, float *restrict spec, const float *restrict h)
{
    float *xr = spec, *xi = spec + n;
    const float *hr = h, *hi = h + n;
    for (int k = 0; k < n; k++) {
        float re = xr[k], im = xi[k];
        xr[k] = re * hr[k] - im * hi[k];
        xi[k] = re * hi[k] + im * hr[k];
    }
}
