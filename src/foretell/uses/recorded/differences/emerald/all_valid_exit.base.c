void all_valid(int n, const int *restrict state, int *restrict valid)
{
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad |= state[i] < 0;
    valid[0] = !bad;
}
