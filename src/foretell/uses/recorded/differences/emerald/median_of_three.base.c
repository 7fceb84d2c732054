void median3(int n, const int *restrict in, int *restrict out)
{
    for (int i = 1; i < n - 1; i++) {
        int a = in[i - 1], b = in[i], c = in[i + 1];
        if ((a <= b && b <= c) || (c <= b && b <= a))
            out[i] = b;
        else if ((b <= a && a <= c) || (c <= a && a <= b))
            out[i] = a;
        else
            out[i] = c;
    }
}
