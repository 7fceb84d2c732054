void apply_gain(int n, float g, float *x, int *done)
{
    for (int i = 0; i < n; i++) {
        x[i] *= g;
        done[0]++;
    }
}
