/* Two numbers of records of 256 bytes. */
struct cell { double t, p; double other[30]; };
void wide_records(long n, const struct cell c[restrict n], double r[restrict n]) {
  for (long i = 0; i < n; i++)
    r[i] = c[i].t * c[i].p;
}
