void cumulate(int n, int *x)
{
    int s = x[0];
    for (int i = 1; i <= n; i++) {
        s += x[i];
        x[i] = s;
    }
}
