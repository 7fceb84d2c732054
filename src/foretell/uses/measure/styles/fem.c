/* Finite elements, sweeps of transport and lookups of cross sections. */
#include <math.h>

struct csr {
  int rows;
  int *offsets, *cols;
  double *coefs;
};

void csr_multiply(const struct csr *A, const double *x, double *y) {
  for (int row = 0; row < A->rows; ++row) {
    double sum = 0;
    for (int i = A->offsets[row]; i < A->offsets[row + 1]; ++i) sum += A->coefs[i] * x[A->cols[i]];
    y[row] = sum;
  }
}

void waxpby(int n, double alpha, const double *x, double beta, const double *y, double *w) {
  if (alpha == 1.0) {
    for (int i = 0; i < n; i++) w[i] = x[i] + beta * y[i];
  } else if (beta == 1.0) {
    for (int i = 0; i < n; i++) w[i] = alpha * x[i] + y[i];
  } else {
    for (int i = 0; i < n; i++) w[i] = alpha * x[i] + beta * y[i];
  }
}

double dot_product(int n, const double *x, const double *y) {
  double result = 0;
  if (x == y)
    for (int i = 0; i < n; i++) result += x[i] * x[i];
  else
    for (int i = 0; i < n; i++) result += x[i] * y[i];
  return result;
}

/* Element matrices of a hexahedron from the gradients of its eight functions at eight points. */
void hex_diffusion(int elements, const double *grad, const double *detj, double *matrix) {
  for (int e = 0; e < elements; e++) {
    double *K = matrix + 64 * e;
    for (int i = 0; i < 64; i++) K[i] = 0.0;
    for (int q = 0; q < 8; q++) {
      const double *g = grad + 192 * e + 24 * q;
      double w = detj[8 * e + q];
      for (int m = 0; m < 8; m++)
        for (int n = 0; n < 8; n++)
          K[8 * m + n] += w * (g[3 * m] * g[3 * n] + g[3 * m + 1] * g[3 * n + 1] + g[3 * m + 2] * g[3 * n + 2]);
    }
  }
}

/* Adds element matrices into a sparse matrix; rows are searched for their columns. */
void assemble(int elements, const int *nodes, const double *matrix, struct csr *A) {
  for (int e = 0; e < elements; e++)
    for (int i = 0; i < 8; i++) {
      int row = nodes[8 * e + i], first = A->offsets[row], last = A->offsets[row + 1];
      for (int j = 0; j < 8; j++) {
        int col = nodes[8 * e + j], low = first, high = last;
        while (low < high) {
          int mid = (low + high) / 2;
          if (A->cols[mid] < col)
            low = mid + 1;
          else
            high = mid;
        }
        if (low < last && A->cols[low] == col) A->coefs[low] += matrix[64 * e + 8 * i + j];
      }
    }
}

/* One octant of a sweep over a plane of cells for all angles, with fixup of negative fluxes. */
void sweep_plane(int nang, int nx, int ny, const double *mu, const double *eta, const double *w, const double *source,
                 const double *denom, double *psii, double *psij, double *flux) {
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      double sum = 0.0;
      for (int a = 0; a < nang; a++) {
        double in_i = psii[j * nang + a], in_j = psij[i * nang + a];
        double psi = (source[j * nx + i] + in_i * mu[a] + in_j * eta[a]) * denom[a];
        double out_i = 2.0 * psi - in_i, out_j = 2.0 * psi - in_j;
        psii[j * nang + a] = out_i < 0.0 ? 0.0 : out_i;
        psij[i * nang + a] = out_j < 0.0 ? 0.0 : out_j;
        sum += w[a] * psi;
      }
      flux[j * nx + i] += sum;
    }
}

void scatter_source(int cells, int groups, const double *sigma, const double *phi, double *q) {
  for (int g1 = 0; g1 < groups; g1++)
    for (int g2 = 0; g2 < groups; g2++)
      for (int c = 0; c < cells; c++) q[g1 * cells + c] += sigma[g1 * groups + g2] * phi[g2 * cells + c];
}

struct point {
  double energy, total, elastic, absorption, fission, nu;
};

/* Macroscopic cross sections: a binary search for each nuclide of a material, then interpolation. */
double lookup_sections(int lookups, int nuclides, int points, const double *sample, const struct point *table,
                       const double *share) {
  double check = 0.0;
  for (int l = 0; l < lookups; l++) {
    double e = sample[l], macro[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < nuclides; k++) {
      const struct point *t = table + (long)k * points;
      int low = 0, length = points - 1;
      while (length > 1) {
        int half = length / 2;
        if (t[low + half].energy > e) {
          length = half;
        } else {
          low += half;
          length -= half;
        }
      }
      double f = (t[low + 1].energy - e) / (t[low + 1].energy - t[low].energy);
      macro[0] += share[k] * (t[low + 1].total - f * (t[low + 1].total - t[low].total));
      macro[1] += share[k] * (t[low + 1].elastic - f * (t[low + 1].elastic - t[low].elastic));
      macro[2] += share[k] * (t[low + 1].absorption - f * (t[low + 1].absorption - t[low].absorption));
      macro[3] += share[k] * (t[low + 1].fission - f * (t[low + 1].fission - t[low].fission));
      macro[4] += share[k] * (t[low + 1].nu - f * (t[low + 1].nu - t[low].nu));
    }
    check += macro[0] + macro[1] + macro[2] + macro[3] + macro[4];
  }
  return check;
}
