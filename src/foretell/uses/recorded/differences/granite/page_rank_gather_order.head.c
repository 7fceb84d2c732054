void push_ranks(int n, const double *m, const double *rank, double *next)
{
  int i, j;

  for (i = 0; i < n; ++i)
    next[i] = 0.0;
  for (i = 0; i < n; ++i)
    for (j = 0; j < n; ++j)
      next[i] += m[i * n + j] * rank[j];
}
