/* Back-propagation, adjusting the weights of a layer. */
void adjust(int n, int m, float w[n][m], float old[n][m], float x[n], float delta[m])
{
    #pragma acc parallel loop copy(w, old) copyin(x, delta)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float change = 0.3f * delta[j] * x[i] + 0.3f * old[i][j];
            w[i][j] += change;
            old[i][j] = change;
        }
}
