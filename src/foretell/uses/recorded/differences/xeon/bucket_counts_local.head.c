void byte_counts(int n, const unsigned char *restrict s, int *restrict c)
{
    int zero = 0, one = 0, two = 0;
    for (int i = 0; i < n; i++) {
        zero += (s[i] & 3) == 0;
        one += (s[i] & 3) == 1;
        two += (s[i] & 3) == 2;
    }
    c[0] += zero;
    c[1] += one;
    c[2] += two;
    c[3] += n - zero - one - two;
}
