/* The code of updates.s. */
void updates(int n, int *restrict count, const int *restrict key) {
  for (int i = 0; i < n; i++)
    count[key[i]]++;
}
