/* Advection in a weather model: many arrays, few operations. Cores share the contiguous dimension, so that small tiles
   move fewer bytes than a transaction has. */
void advance(int levels, int n, double u[levels][n], double w[levels][n], double t[levels][n], double q[levels][n],
             double dt[levels][n], double dq[levels][n])
{
    #pragma acc parallel loop copyin(u, w, t, q) copyout(dt, dq) tile(i:16)
    for (int i = 0; i < n; i++)
        #pragma acc loop tile(k:16)
        for (int k = 0; k < levels; k++) {
            dt[k][i] = u[k][i] * t[k][i] + w[k][i];
            dq[k][i] = u[k][i] * q[k][i] - w[k][i];
        }
}
