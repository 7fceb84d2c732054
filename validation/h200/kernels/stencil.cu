// Stencils on grids with a border of one cell: straight from memory, by shared memory, and marching with registers.
#include "common.cuh"

KERNEL stencil2d_global(const float* a, float* b, int nx, int ny) {
    const int x = global_x() + 1, y = global_y() + 1;
    if (x >= nx - 1 || y >= ny - 1) return;
    const int i = y * nx + x;
    b[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx]);
}

KERNEL stencil2d_shared(const float* a, float* b, int nx, int ny) {  // blocks of 32 by 8
    __shared__ float part[10][34];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, i = y * nx + x;
    if (x < nx && y < ny) {
        part[ty][tx] = a[i];
        if (tx == 1) part[ty][0] = a[i - 1];
        if (tx == 32 && x + 1 < nx) part[ty][33] = a[i + 1];
        if (ty == 1) part[0][tx] = a[i - nx];
        if (ty == 8 && y + 1 < ny) part[9][tx] = a[i + nx];
    }
    __syncthreads();
    if (x < nx - 1 && y < ny - 1)
        b[i] = 0.5f * part[ty][tx] + 0.125f * (part[ty][tx - 1] + part[ty][tx + 1] + part[ty - 1][tx] + part[ty + 1][tx]);
}

KERNEL stencil2d_march(const float* a, float* b, int nx, int ny, int rows) {  // a thread goes down `rows` rows
    const int x = global_x() + 1, y0 = blockIdx.y * rows + 1;
    if (x >= nx - 1) return;
    float above = a[(y0 - 1) * nx + x], here = a[y0 * nx + x];
    for (int y = y0; y < min(y0 + rows, ny - 1); ++y) {
        const int i = y * nx + x;
        const float below = a[i + nx];
        b[i] = 0.5f * here + 0.125f * (a[i - 1] + a[i + 1] + above + below);
        above = here, here = below;
    }
}

KERNEL stencil3d_global(const double* a, double* b, int nx, int ny, int nz) {
    const int x = global_x() + 1, y = global_y() + 1, z = global_z() + 1;
    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    const int plane = nx * ny, i = z * plane + y * nx + x;
    b[i] = 0.4 * a[i] + 0.1 * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - plane] + a[i + plane]);
}

KERNEL stencil3d_march(const double* a, double* b, int nx, int ny, int nz) {  // registers along z
    const int x = global_x() + 1, y = global_y() + 1;
    if (x >= nx - 1 || y >= ny - 1) return;
    const int plane = nx * ny;
    int i = plane + y * nx + x;
    double below = a[i - plane], here = a[i];
    for (int z = 1; z < nz - 1; ++z, i += plane) {
        const double above = a[i + plane];
        b[i] = 0.4 * here + 0.1 * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + below + above);
        below = here, here = above;
    }
}

KERNEL stencil3d_shared(const double* a, double* b, int nx, int ny, int nz) {  // a plane in shared memory, blocks of 32 by 8
    __shared__ double part[10][34];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
    const int plane = nx * ny;
    int i = plane + y * nx + x;
    double below = a[i - plane], here = a[i];
    for (int z = 1; z < nz - 1; ++z, i += plane) {
        const double above = a[i + plane];
        part[ty][tx] = here;
        if (tx == 1) part[ty][0] = a[i - 1];
        if (tx == 32) part[ty][33] = a[i + 1];
        if (ty == 1) part[0][tx] = a[i - nx];
        if (ty == 8) part[9][tx] = a[i + nx];
        __syncthreads();
        b[i] = 0.4 * here + 0.1 * (part[ty][tx - 1] + part[ty][tx + 1] + part[ty - 1][tx] + part[ty + 1][tx] + below + above);
        below = here, here = above;
        __syncthreads();
    }
}

KERNEL stencil3d_27(const float* a, float* b, int nx, int ny, int nz) {
    const int x = global_x() + 1, y = global_y() + 1, z = global_z() + 1;
    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    const int plane = nx * ny, i = z * plane + y * nx + x;
    float sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) sum += a[i + dz * plane + dy * nx + dx];
    b[i] = sum * (1.0f / 27);
}
