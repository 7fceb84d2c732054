struct particle { double x, y, z, vx, vy, vz, m, q; };
void particles(int n, double P[restrict 8][n], double e[restrict n]) {
    for (int i = 0; i < n; i++)
     e[i] = 0.5 * P[6][i] * (P[3][i] * P[3][i] + P[4][i] * P[4][i]);
}
