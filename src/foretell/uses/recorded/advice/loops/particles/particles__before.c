struct particle { double x, y, z, vx, vy, vz, m, q; };
void particles(int n, struct particle P[restrict n], double e[restrict n]) {
    for (int i = 0; i < n; i++)
     e[i] = 0.5 * P[i].m * (P[i].vx * P[i].vx + P[i].vy * P[i].vy);
}
