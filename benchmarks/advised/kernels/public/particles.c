/* n = 200000 */
void particles(int n, double p[n][8], double dt) {
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n; i++) {
            p[i][3 + d] += dt * p[i][6] * p[i][d];
            p[i][d] += dt * p[i][3 + d];
        }
}
