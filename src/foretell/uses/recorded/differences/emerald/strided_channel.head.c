void channel_peak(int n, const float *restrict frames, float *restrict peak)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = frames[i] > most ? frames[i] : most;
    peak[0] = most;
}
