void acs_step(int n, const int *old, const int *metric, int *now)
{
    for (int s = 0; s < n; s++) {
        int a = (old[2 * s] >> 2) + metric[2 * s], b = (old[2 * s + 1] >> 2) + metric[2 * s + 1];
        now[s] = b > a ? b : a;
    }
}
