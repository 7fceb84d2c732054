/* sweep.f90 in C, for counting: the same operations, its loops at the lines of the original. */
void cscale_(double *row, int *n, double *s);
static double square(double x) { return x * x; }
#line 2 "sweep.f90"
void fsweep(int *pnx, int *pny, double *u, double *un, double *residual)
{
  const int nx = *pnx, ny = *pny, s = *pnx + 2;
  double half = 0.5, sum = 0.0;
#line 11 "sweep.f90"
  for (int j = 1; j <= ny; j++)
#line 12 "sweep.f90"
    for (int i = 1; i <= nx; i++) {
      un[i + j * s] = 0.25 * (u[i - 1 + j * s] + u[i + 1 + j * s] + u[i + (j - 1) * s] + u[i + (j + 1) * s]);
      sum = sum + square(un[i + j * s] - u[i + j * s]);
    }
  *residual = sum;
  cscale_(&un[1 + s], pnx, &half);
}
void fsweep_(int *pnx, int *pny, double *u, double *un, double *residual) { fsweep(pnx, pny, u, un, residual); }
