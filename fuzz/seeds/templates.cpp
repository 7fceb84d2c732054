template <typename T> struct Grid { T *data; int n; T &operator()(int i, int j) { return data[i * n + j]; } };
template <typename T> void smooth(Grid<T> a, Grid<T> b) {
  for (int i = 1; i < a.n - 1; ++i)
    for (int j = 1; j < a.n - 1; ++j) b(i, j) = (a(i - 1, j) + a(i + 1, j)) * T(0.5);
}
extern "C" void run(double *x, double *y, int n) { smooth(Grid<double>{x, n}, Grid<double>{y, n}); }
