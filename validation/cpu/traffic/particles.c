/* Records of ten numbers of which four are used. */
struct particle { double x[3], v[3], q, m, e, t; };
void particles(int n, struct particle p[n], double energy[n]) {
  for (int i = 0; i < n; i++)
    energy[i] = 0.5 * p[i].m * (p[i].v[0] * p[i].v[0] + p[i].v[1] * p[i].v[1] + p[i].v[2] * p[i].v[2]);
}
