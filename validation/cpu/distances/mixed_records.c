/* Records of numbers of several sizes: a sum over those that count. */
struct sample { float value; int id; double weight; short kind; };
void mixed_records(long n, const struct sample s[restrict n], double r[restrict 1]) {
  for (long i = 0; i < n; i++)
    r[0] += s[i].value * s[i].weight;
}
