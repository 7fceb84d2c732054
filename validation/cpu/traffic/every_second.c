/* Every second element of every second row. */
void every_second(int n, double fine[2 * n][2 * n], double coarse[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      coarse[i][j] = 0.5 * fine[2 * i][2 * j];
}
