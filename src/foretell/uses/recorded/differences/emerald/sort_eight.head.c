#define SWAP(a, b)                                  \
    {                                               \
        int low = v[a] < v[b] ? v[a] : v[b];        \
        int high = v[a] < v[b] ? v[b] : v[a];       \
        v[a] = low, v[b] = high;                    \
    }
void sort_blocks(int n, const int *restrict in, int *restrict out)
{
    for (int b = 0; b < n; b++) {
        int v[8];
        for (int i = 0; i < 8; i++)
            v[i] = in[8 * b + i];
        SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7)
        SWAP(0, 2) SWAP(1, 3) SWAP(4, 6) SWAP(5, 7)
        SWAP(1, 2) SWAP(5, 6) SWAP(0, 4) SWAP(3, 7)
        SWAP(1, 5) SWAP(2, 6) SWAP(1, 4) SWAP(3, 6)
        SWAP(2, 4) SWAP(3, 5) SWAP(3, 4)
        for (int i = 0; i < 8; i++)
            out[8 * b + i] = v[i];
    }
}
