void running_count(int n, const unsigned char *flags, int *count, int *out)
{
    int seen = 0;
    for (int i = 0; i < n; i++) {
        seen += flags[i];
        out[i] = seen;
    }
    *count = seen;
}
