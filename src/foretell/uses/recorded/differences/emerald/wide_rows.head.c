struct row { int id, flag, a, b; char name[112]; };
void count_flags(int n, const struct row *restrict r, long *restrict out)
{
    long count = 0;
    for (int i = 0; i < n; i++)
        count += r[i].flag;
    *out = count;
}
