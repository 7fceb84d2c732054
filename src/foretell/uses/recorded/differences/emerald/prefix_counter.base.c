void running_count(int n, const unsigned char *flags, int *count, int *out)
{
    *count = 0;
    for (int i = 0; i < n; i++) {
        *count += flags[i];
        out[i] = *count;
    }
}
