void has_zero_byte(int n, const unsigned char *p, int *found)
{
    *found = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] == 0) {
            *found = 1;
            return;
        }
    }
}
