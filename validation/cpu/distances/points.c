/* Lengths of vectors that lie as records. */
struct point { double x, y, z; };
void points(long n, const struct point p[restrict n], double r[restrict n]) {
  for (long i = 0; i < n; i++)
    r[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}
