/* Meshes, particles and flows as application codes write them. */
#include <math.h>
#include <string.h>

/* Fluxes over the faces of an unstructured mesh, added to the cells on both sides. */
void face_fluxes(int faces, const int *left, const int *right, const double *area, const double *u, double *residual) {
  for (int f = 0; f < faces; f++) {
    int l = left[f], r = right[f];
    double mean = 0.5 * (u[l] + u[r]);
    double flux = area[f] * (0.5 * mean * mean - 0.25 * fabs(mean) * (u[r] - u[l]));
    residual[l] -= flux;
    residual[r] += flux;
  }
}

struct particle {
  float x, y, z, vx, vy, vz, charge, mass;
};

/* Particles turned by a magnetic field and pushed by an electric one. */
void push_boris(int n, struct particle *p, float dt, const float *e, const float *b) {
  for (int i = 0; i < n; i++) {
    float h = 0.5f * dt * p[i].charge / p[i].mass;
    float ux = p[i].vx + h * e[0], uy = p[i].vy + h * e[1], uz = p[i].vz + h * e[2];
    float tx = h * b[0], ty = h * b[1], tz = h * b[2];
    float s = 2.0f / (1.0f + tx * tx + ty * ty + tz * tz);
    float wx = ux + uy * tz - uz * ty, wy = uy + uz * tx - ux * tz, wz = uz + ux * ty - uy * tx;
    ux += s * (wy * tz - wz * ty);
    uy += s * (wz * tx - wx * tz);
    uz += s * (wx * ty - wy * tx);
    p[i].vx = ux + h * e[0];
    p[i].vy = uy + h * e[1];
    p[i].vz = uz + h * e[2];
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
  }
}

static double minmod(double a, double b) {
  if (a * b <= 0.0) return 0.0;
  return fabs(a) < fabs(b) ? a : b;
}

/* Limited slopes of a row of cells. */
void limited_slopes(int n, const double *u, double *slope) {
  for (int i = 1; i < n - 1; i++) slope[i] = minmod(u[i] - u[i - 1], u[i + 1] - u[i]);
}

/* Collision and streaming of nine velocities on a grid. */
void lattice_step(int ny, int nx, double **f, double **g, double omega) {
  static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static const double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) {
      int at = y * nx + x;
      double rho = 0.0, ux = 0.0, uy = 0.0;
      for (int k = 0; k < 9; k++) {
        double v = f[k][at];
        rho += v;
        ux += cx[k] * v;
        uy += cy[k] * v;
      }
      ux /= rho;
      uy /= rho;
      double square = 1.5 * (ux * ux + uy * uy);
      for (int k = 0; k < 9; k++) {
        double cu = 3.0 * (cx[k] * ux + cy[k] * uy);
        double equal = weight[k] * rho * (1.0 + cu + 0.5 * cu * cu - square);
        g[k][at + cy[k] * nx + cx[k]] = f[k][at] + omega * (equal - f[k][at]);
      }
    }
}

typedef struct {
  double x, y, z;
} point;

/* Every point of a mesh moves towards the mean of its neighbours. */
void smooth_points(int n, const int *start, const int *neighbour, const point *in, point *out) {
  for (int i = 0; i < n; i++) {
    point sum = {0, 0, 0};
    int count = start[i + 1] - start[i];
    for (int k = start[i]; k < start[i + 1]; k++) {
      const point *p = &in[neighbour[k]];
      sum.x += p->x;
      sum.y += p->y;
      sum.z += p->z;
    }
    out[i].x = 0.5 * in[i].x + 0.5 * sum.x / count;
    out[i].y = 0.5 * in[i].y + 0.5 * sum.y / count;
    out[i].z = 0.5 * in[i].z + 0.5 * sum.z / count;
  }
}

/* Fluxes of gas between cells with two wave speeds. */
void hll_fluxes(int n, const double *rho, const double *mom, const double *ener, double *f0, double *f1, double *f2) {
  const double gamma = 1.4;
  for (int i = 0; i < n - 1; i++) {
    double ul = mom[i] / rho[i], ur = mom[i + 1] / rho[i + 1];
    double pl = (gamma - 1) * (ener[i] - 0.5 * mom[i] * ul), pr = (gamma - 1) * (ener[i + 1] - 0.5 * mom[i + 1] * ur);
    double cl = sqrt(gamma * pl / rho[i]), cr = sqrt(gamma * pr / rho[i + 1]);
    double sl = ul - cl < ur - cr ? ul - cl : ur - cr, sr = ul + cl > ur + cr ? ul + cl : ur + cr;
    sl = sl < 0 ? sl : 0;
    sr = sr > 0 ? sr : 0;
    double inv = 1.0 / (sr - sl);
    f0[i] = (sr * mom[i] - sl * mom[i + 1] + sl * sr * (rho[i + 1] - rho[i])) * inv;
    f1[i] = (sr * (mom[i] * ul + pl) - sl * (mom[i + 1] * ur + pr) + sl * sr * (mom[i + 1] - mom[i])) * inv;
    f2[i] = (sr * ul * (ener[i] + pl) - sl * ur * (ener[i + 1] + pr) + sl * sr * (ener[i + 1] - ener[i])) * inv;
  }
}

struct wave {
  int nx, ny, nz;
  float *now, *before, *speed;
};

/* Waves in three dimensions, eighth order in space. */
void wave_step(struct wave *w, const float *c) {
  long sx = w->ny * w->nz, sy = w->nz;
  for (int i = 4; i < w->nx - 4; i++)
    for (int j = 4; j < w->ny - 4; j++)
      for (int k = 4; k < w->nz - 4; k++) {
        long at = i * sx + j * sy + k;
        float sum = 3.0f * c[0] * w->now[at];
        for (int r = 1; r <= 4; r++)
          sum += c[r] * (w->now[at + r] + w->now[at - r] + w->now[at + r * sy] + w->now[at - r * sy] +
                         w->now[at + r * sx] + w->now[at - r * sx]);
        w->before[at] = 2.0f * w->now[at] - w->before[at] + w->speed[at] * sum;
      }
}

/* Charge of particles on a line of cells, two cells each. */
void deposit_line(int n, const double *x, double *density, int cells) {
  memset(density, 0, (cells + 1) * sizeof *density);
  for (int i = 0; i < n; i++) {
    int cell = (int)x[i];
    double part = x[i] - cell;
    density[cell] += 1.0 - part;
    density[cell + 1] += part;
  }
}

/* Forces between all pairs, once each, with a cut. */
double pair_forces(int n, double (*r)[3], double (*f)[3], double cut2) {
  double energy = 0.0;
  for (int i = 0; i < n; i++) {
    double fx = 0, fy = 0, fz = 0;
    for (int j = i + 1; j < n; j++) {
      double dx = r[i][0] - r[j][0], dy = r[i][1] - r[j][1], dz = r[i][2] - r[j][2];
      double d2 = dx * dx + dy * dy + dz * dz;
      double s = d2 < cut2 ? 1.0 / (d2 + 0.01) : 0.0;
      fx += s * dx;
      fy += s * dy;
      fz += s * dz;
      f[j][0] -= s * dx;
      f[j][1] -= s * dy;
      f[j][2] -= s * dz;
      energy += s;
    }
    f[i][0] += fx;
    f[i][1] += fy;
    f[i][2] += fz;
  }
  return energy;
}
