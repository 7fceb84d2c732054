void partition(int n, int pivot, const int *restrict in, int *restrict out, int *restrict border)
{
    int low = 0, high = n - 1;
    for (int i = 0; i < n; i++) {
        if (in[i] < pivot)
            out[low++] = in[i];
        else
            out[high--] = in[i];
    }
    *border = low;
}
