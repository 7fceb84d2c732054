/* Forces between all pairs of bodies; those that act come through the scratchpad tile by tile. */
#include <math.h>
void forces(int n, double x[n], double y[n], double z[n], double m[n], double fx[n])
{
    #pragma acc parallel loop copyin(x, y, z, m) copyout(fx) tile(i:16)
    for (int i = 0; i < n; i++) {
        double total = 0.0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double r2 = dx * dx + dy * dy + dz * dz + 0.01;
            total += m[j] * dx / (r2 * sqrt(r2));
        }
        fx[i] = total;
    }
}
