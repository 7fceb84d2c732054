void all_valid(int n, const int *restrict state, int *restrict valid)
{
    valid[0] = 1;
    for (int i = 0; i < n; i++)
        if (state[i] < 0) {
            valid[0] = 0;
            return;
        }
}
