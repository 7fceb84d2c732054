void day_parts(int n, const unsigned *restrict seconds, unsigned *restrict hour, unsigned *restrict minute)
{
    for (int i = 0; i < n; i++) {
        hour[i] = seconds[i] / 3600;
        minute[i] = seconds[i] % 3600 / 60;
    }
}
