namespace {
struct Stats {
    double count, sum, squares;
    void add(const double& v)
    {
        count += 1;
        sum += v;
        squares += v * v;
    }
};
}  // namespace

extern "C" {
void run_stats(int n, const double *x, double *state)
{
    Stats *s = reinterpret_cast<Stats *>(state);
    for (int i = 0; i < n; ++i)
        s->add(x[i]);
}
}
