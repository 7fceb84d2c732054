/* Microphysics of a weather model: saturation, condensation and rates, column by column. */
#include <math.h>
void microphysics(int columns, int levels, double t[columns][levels], double p[columns][levels],
                  double q[columns][levels], double rate[columns][levels])
{
    #pragma acc parallel loop copyin(t, p, q) copyout(rate)
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < levels; k++) {
            double es = 611.2 * exp(17.67 * (t[i][k] - 273.15) / (t[i][k] - 29.65));
            double qs = 0.622 * es / (p[i][k] - 0.378 * es);
            double excess = q[i][k] - qs;
            double slope = 1.0 + 4098.0 * qs / ((t[i][k] - 35.86) * (t[i][k] - 35.86));
            rate[i][k] = excess > 0.0 ? sqrt(excess) * excess / slope : 0.001 * excess / slope;
        }
}
