/* Molecular dynamics and particles in cells. */
#include <math.h>

typedef double real3[3];

/* Lennard-Jones forces between the atoms of neighbouring cells, each with the same number of places. */
double lj_cells(int cells, int places, const int *nAtoms, const int *neighbours, real3 *r, real3 *f, double cutoff2) {
  double energy = 0.0;
  for (int ib = 0; ib < cells; ib++)
    for (int nb = 0; nb < 27; nb++) {
      int jb = neighbours[27 * ib + nb];
      for (int i = places * ib, ii = 0; ii < nAtoms[ib]; ii++, i++)
        for (int j = places * jb, ij = 0; ij < nAtoms[jb]; ij++, j++) {
          double dr[3], r2 = 0.0;
          for (int m = 0; m < 3; m++) {
            dr[m] = r[i][m] - r[j][m];
            r2 += dr[m] * dr[m];
          }
          if (r2 <= cutoff2 && r2 > 0.0) {
            r2 = 1.0 / r2;
            double r6 = r2 * r2 * r2;
            energy += r6 * (r6 - 1.0);
            double fr = -4.0 * r6 * r2 * (12.0 * r6 - 6.0);
            for (int m = 0; m < 3; m++) f[i][m] -= dr[m] * fr;
          }
        }
    }
  return energy;
}

void lj_list(int n, int maxneigh, const int *count, const int *neigh, const double *x, double *f, double cut) {
  for (int i = 0; i < n; i++) {
    double fx = 0, fy = 0, fz = 0;
    for (int k = 0; k < count[i]; k++) {
      int j = neigh[i * maxneigh + k];
      double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
      double rsq = dx * dx + dy * dy + dz * dz + 0.01;
      if (rsq < cut) {
        double s = 1.0 / rsq, s6 = s * s * s, force = 48.0 * s6 * (s6 - 0.5) * s;
        fx += dx * force;
        fy += dy * force;
        fz += dz * force;
      }
    }
    f[3 * i] += fx;
    f[3 * i + 1] += fy;
    f[3 * i + 2] += fz;
  }
}

/* A tabulated function at many places, by four points of the table. */
void eam_interpolate(int n, const double *r, const double *table, double inverse, int entries, double *f, double *df) {
  for (int i = 0; i < n; i++) {
    double x = r[i] * inverse;
    int ii = (int)floor(x);
    if (ii > entries - 3) ii = entries - 3;
    if (ii < 1) ii = 1;
    x = x - ii;
    double g1 = table[ii + 1] - table[ii - 1], g2 = table[ii + 2] - table[ii];
    f[i] = table[ii] + 0.5 * x * (g1 + x * (table[ii + 1] + table[ii - 1] - 2.0 * table[ii]));
    df[i] = 0.5 * (g1 + x * (g2 - g1)) * inverse;
  }
}

void advance_velocity(int n, real3 *p, real3 *f, double dt) {
  for (int i = 0; i < n; i++) {
    p[i][0] += dt * f[i][0];
    p[i][1] += dt * f[i][1];
    p[i][2] += dt * f[i][2];
  }
}

void bodies_direct(int n, const float *pos, float *acc, float soft) {
  for (int i = 0; i < n; i++) {
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      float dx = pos[4 * j] - pos[4 * i], dy = pos[4 * j + 1] - pos[4 * i + 1], dz = pos[4 * j + 2] - pos[4 * i + 2];
      float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soft), s = pos[4 * j + 3] * inv * inv * inv;
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    acc[3 * i] = ax;
    acc[3 * i + 1] = ay;
    acc[3 * i + 2] = az;
  }
}

void deposit_charge(int n, const double *x, const double *y, const double *q, double *rho, int width, double inv) {
  for (int i = 0; i < n; i++) {
    double gx = x[i] * inv, gy = y[i] * inv;
    int ix = (int)gx, iy = (int)gy;
    double fx = gx - ix, fy = gy - iy;
    double *cell = rho + iy * width + ix;
    cell[0] += q[i] * (1 - fx) * (1 - fy);
    cell[1] += q[i] * fx * (1 - fy);
    cell[width] += q[i] * (1 - fx) * fy;
    cell[width + 1] += q[i] * fx * fy;
  }
}
