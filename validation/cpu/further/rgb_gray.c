void rgb_gray(int n, const unsigned char *restrict r, const unsigned char *restrict g, const unsigned char *restrict b, unsigned char *restrict out) {
  for (int i = 0; i < n; i++) out[i] = (77 * r[i] + 150 * g[i] + 29 * b[i]) >> 8;
}
