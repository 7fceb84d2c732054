void resample(int n, double step, const float *restrict in, float *restrict out)
{
    double phase = 0;
    for (int i = 0; i < n; i++) {
        int k = (int)phase;
        float t = (float)(phase - k);
        out[i] = in[k] + t * (in[k + 1] - in[k]);
        phase += step;
    }
}
