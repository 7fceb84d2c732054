void spread_labels(int n, const int *restrict next, const int *restrict label, int *restrict out)
{
    for (int v = 0; v < n; v++) {
        out[v] = label[v];
        if (label[next[v]] < label[v])
            out[v] = label[next[v]];
    }
}
