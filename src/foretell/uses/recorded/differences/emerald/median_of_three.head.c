#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void median3(int n, const int *restrict in, int *restrict out)
{
    for (int i = 1; i < n - 1; i++) {
        int a = in[i - 1], b = in[i], c = in[i + 1];
        int low = MIN(a, b), high = MAX(a, b);
        out[i] = MAX(low, MIN(high, c));
    }
}
