void partition(int n, int pivot, const int *restrict in, int *restrict out, int *restrict border)
{
    int low = 0, high = n - 1;
    for (int i = 0; i < n; i++) {
        int less = in[i] < pivot;
        out[low] = in[i];
        out[high] = in[i];
        low += less;
        high -= 1 - less;
    }
    *border = low;
}
