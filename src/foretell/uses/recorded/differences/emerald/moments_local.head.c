struct moments { double sum, squares; };
void moments(int n, const double *x, struct moments *m)
{
    double sum = m->sum, squares = m->squares;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    m->sum = sum;
    m->squares = squares;
}
