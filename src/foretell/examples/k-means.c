/* k-means, assignment: the nearest of k centres for every point. The centres stay in the scratchpad. */
void assign(int n, int k, int d, float point[n][d], float centre[k][d], int member[n])
{
    #pragma acc parallel loop copyin(point, centre) copyout(member) tile(i:64)
    for (int i = 0; i < n; i++) {
        float best = 3.0e38f;
        int index = 0;
        for (int j = 0; j < k; j++) {
            float distance = 0.0f;
            for (int f = 0; f < d; f++) {
                float apart = point[i][f] - centre[j][f];
                distance += apart * apart;
            }
            if (distance < best) {
                best = distance;
                index = j;
            }
        }
        member[i] = index;
    }
}
