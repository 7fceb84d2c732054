void any_negative(int n, const int *v, int *found)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= v[i] < 0;
    *found = any;
}
