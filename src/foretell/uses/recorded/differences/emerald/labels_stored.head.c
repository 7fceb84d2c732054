void spread_labels(int n, const int *restrict next, const int *restrict label, int *restrict out)
{
    for (int v = 0; v < n; v++) {
        int own = label[v], other = label[next[v]];
        out[v] = own < other ? own : other;
    }
}
