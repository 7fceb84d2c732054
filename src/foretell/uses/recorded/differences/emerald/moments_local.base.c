struct moments { double sum, squares; };
void moments(int n, const double *x, struct moments *m)
{
    for (int i = 0; i < n; i++) {
        m->sum += x[i];
        m->squares += x[i] * x[i];
    }
}
