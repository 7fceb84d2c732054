/* n = 100000 */
void histogram(int n, int bin[n], double weight[n], double count[n]) {
    for (int i = 0; i < n; i++)
        count[bin[i]] += weight[i];
}
