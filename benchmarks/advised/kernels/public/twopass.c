/* n = 1500000 */
void twopass(int n, double a[n], double b[n], double c[n], double d[n]) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] * 0.5 + b[i];
    for (int i = 0; i < n; i++)
        d[i] = c[i] * a[i] - b[i];
}
