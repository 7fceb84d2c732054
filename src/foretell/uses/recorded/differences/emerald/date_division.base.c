void day_parts(int n, const int *restrict seconds, int *restrict hour, int *restrict minute)
{
    for (int i = 0; i < n; i++) {
        hour[i] = seconds[i] / 3600;
        minute[i] = seconds[i] % 3600 / 60;
    }
}
