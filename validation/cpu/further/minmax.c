void minmax(int n, const float *restrict x, float *restrict lo, float *restrict hi) {
  for (int i = 0; i < n; i++) { lo[i] = x[i] < lo[i] ? x[i] : lo[i]; hi[i] = x[i] > hi[i] ? x[i] : hi[i]; }
}
