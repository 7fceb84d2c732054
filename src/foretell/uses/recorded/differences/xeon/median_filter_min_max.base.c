void median3(int n, const int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++) {
        int a = x[i], b = x[i + 1], c = x[i + 2];
        if (a > b) {
            int t = a;
            a = b;
            b = t;
        }
        y[i] = c < a ? a : c > b ? b : c;
    }
}
