/* Euler fluxes of every cell from its density, momentum and energy: square roots and divisions. */
#include <math.h>
void flux(int n, int m, double rho[n][m], double mx[n][m], double my[n][m], double e[n][m], double nx[n][m],
          double ny[n][m], double frho[n][m], double fmx[n][m], double fmy[n][m], double fe[n][m])
{
    #pragma acc parallel loop copyin(rho, mx, my, e, nx, ny) copyout(frho, fmx, fmy, fe)
    for (int i = 0; i < n; i++)
        #pragma acc loop tile(j:64)
        for (int j = 0; j < m; j++) {
            double u = mx[i][j] / rho[i][j], v = my[i][j] / rho[i][j];
            double speed2 = u * u + v * v;
            double p = 0.4 * (e[i][j] - 0.5 * rho[i][j] * speed2);
            double sound = sqrt(1.4 * p / rho[i][j]);
            double normal = u * nx[i][j] + v * ny[i][j];
            double factor = normal + 0.2 * (sqrt(speed2) + sound);
            frho[i][j] = factor * rho[i][j];
            fmx[i][j] = factor * mx[i][j] + p * nx[i][j];
            fmy[i][j] = factor * my[i][j] + p * ny[i][j];
            fe[i][j] = factor * e[i][j] + p * normal;
        }
}
