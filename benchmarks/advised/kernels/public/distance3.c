/* n = 2000 */
void distance3(int n, double p[n][3], double e[n]) {
    for (int i = 0; i < n; i++) {
        e[i] = 0;
        for (int j = 0; j < n; j++) {
            double d = 0.01;
            for (int k = 0; k < 3; k++)
                d += (p[i][k] - p[j][k]) * (p[i][k] - p[j][k]);
            e[i] += 1.0 / d;
        }
    }
}
