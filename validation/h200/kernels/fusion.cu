// Four stencils of eighth order over the same fields, in three grades of fusion (Section 6.2): four kernels, two, one.
// Each adds the derivatives of a flux along three axes to an output; fields have a border of four cells.
#include "common.cuh"

struct Grid {
    int nx, plane, i;
    __device__ Grid(int nx, int ny)
        : nx(nx), plane(nx * ny), i((global_z() + 4) * nx * ny + (global_y() + 4) * nx + global_x() + 4) {}
};

__device__ inline double along(const double* u, const double* q, int i, int step) {  // derivative of u times q
    return 0.8 * (u[i + step] * q[i + step] - u[i - step] * q[i - step]) -
           0.2 * (u[i + 2 * step] * q[i + 2 * step] - u[i - 2 * step] * q[i - 2 * step]) +
           0.038095 * (u[i + 3 * step] * q[i + 3 * step] - u[i - 3 * step] * q[i - 3 * step]) -
           0.0035714 * (u[i + 4 * step] * q[i + 4 * step] - u[i - 4 * step] * q[i - 4 * step]);
}

__device__ inline double flux(const double* u, const double* v, const double* w, const double* q, const Grid& g) {
    return along(u, q, g.i, 1) + along(v, q, g.i, g.nx) + along(w, q, g.i, g.plane);
}

// No field overlaps an output: what one flux has read, the next can use.
#define IN const double* __restrict__
#define OUT double* __restrict__

KERNEL fusion_one(IN u, IN v, IN w, IN q, OUT a, int nx, int ny) {
    const Grid g(nx, ny);
    a[g.i] -= flux(u, v, w, q, g);
}

KERNEL fusion_two(IN u, IN v, IN w, IN q, IN r, OUT a, OUT b, int nx, int ny) {
    const Grid g(nx, ny);
    a[g.i] -= flux(u, v, w, q, g);
    b[g.i] -= flux(u, v, w, r, g);
}

KERNEL fusion_four(IN u, IN v, IN w, IN q, IN r, IN s, IN t, OUT a, OUT b, OUT c, OUT d, int nx, int ny) {
    const Grid g(nx, ny);
    a[g.i] -= flux(u, v, w, q, g);
    b[g.i] -= flux(u, v, w, r, g);
    c[g.i] -= flux(u, v, w, s, g);
    d[g.i] -= flux(u, v, w, t, g);
}
