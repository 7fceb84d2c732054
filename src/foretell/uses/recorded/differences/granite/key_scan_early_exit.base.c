void has_zero_byte(int n, const unsigned char *p, int *found)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= p[i] == 0;
    *found = any;
}
