// Compressible Euler equations on a staggered grid in two dimensions: a predictor, a corrector, fluxes, advection in both directions, and
// the edges of every field as a launch of its own.
#include "../user-programs/digest.h"
#include <algorithm>

constexpr int nx = 1920, ny = 960, pitch = nx + 5, rows = ny + 5;
#define AT(i, j) ((size_t)((j) + 2) * pitch + (i) + 2)
#define CELL(more)                                                                      \
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y; \
    if (i >= nx + (more) || j >= ny + (more)) return;

__global__ void ideal_gas(const double* density, const double* energy, double* pressure, double* sound) {
    CELL(0)
    const double v = 1 / density[AT(i, j)];
    pressure[AT(i, j)] = 0.4 * density[AT(i, j)] * energy[AT(i, j)];
    const double by_energy = 0.4 * density[AT(i, j)], by_volume = -density[AT(i, j)] * pressure[AT(i, j)];
    sound[AT(i, j)] = sqrt(v * v * (pressure[AT(i, j)] * by_energy - by_volume));
}
__global__ void viscous(const double* density, const double* xv, const double* yv, double* q, double h) {
    CELL(0)
    const double du = xv[AT(i + 1, j)] + xv[AT(i + 1, j + 1)] - xv[AT(i, j)] - xv[AT(i, j + 1)];
    const double dv = yv[AT(i, j + 1)] + yv[AT(i + 1, j + 1)] - yv[AT(i, j)] - yv[AT(i + 1, j)];
    const double div = (du + dv) / (2 * h);
    q[AT(i, j)] = div < 0 ? 2.0 * density[AT(i, j)] * div * div * h * h : 0.0;
}
__global__ void edges(double* field, int depth, int mx, int my, double flip_x, double flip_y) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < mx)
        for (int d = 1; d <= depth; ++d) field[AT(k, -d)] = flip_y * field[AT(k, d - 1)], field[AT(k, my - 1 + d)] = flip_y * field[AT(k, my - d)];
    if (k < my)
        for (int d = 1; d <= depth; ++d) field[AT(-d, k)] = flip_x * field[AT(d - 1, k)], field[AT(mx - 1 + d, k)] = flip_x * field[AT(mx - d, k)];
}
__global__ void accelerate(const double* density, const double* pressure, const double* q, double* xv, double* yv, double dt, double h) {
    CELL(1)
    const double mass = 0.25 * (density[AT(i - 1, j - 1)] + density[AT(i, j - 1)] + density[AT(i, j)] + density[AT(i - 1, j)]) * h;
    const double step = 0.5 * dt / mass;
    auto p = [&](int a, int b) { return pressure[AT(a, b)] + q[AT(a, b)]; };
    xv[AT(i, j)] -= step * 0.5 * (p(i, j) - p(i - 1, j) + p(i, j - 1) - p(i - 1, j - 1));
    yv[AT(i, j)] -= step * 0.5 * (p(i, j) - p(i, j - 1) + p(i - 1, j) - p(i - 1, j - 1));
}
__global__ void work(double* density, double* energy, const double* pressure, const double* q, const double* xv, const double* yv, double dt, double h) {
    CELL(0)
    const double right = xv[AT(i + 1, j)] + xv[AT(i + 1, j + 1)], left = xv[AT(i, j)] + xv[AT(i, j + 1)];
    const double top = yv[AT(i, j + 1)] + yv[AT(i + 1, j + 1)], bottom = yv[AT(i, j)] + yv[AT(i + 1, j)];
    const double grown = 0.5 * dt * (right - left + top - bottom) / h, share = 1 / (1 + grown);
    energy[AT(i, j)] -= (pressure[AT(i, j)] + q[AT(i, j)]) / density[AT(i, j)] * grown * share;
    density[AT(i, j)] *= share;
}
template <bool Along>
__global__ void advect(const double* density, const double* energy, const double* vel, double* density1, double* energy1, double dt, double h) {
    CELL(0)
    auto flux = [&](int a, int b, double& mass, double& heat) {
        const double v = 0.5 * dt / h * (Along ? vel[AT(a, b)] + vel[AT(a, b + 1)] : vel[AT(a, b)] + vel[AT(a + 1, b)]);
        const int ua = Along && v > 0 ? a - 1 : a, ub = !Along && v > 0 ? b - 1 : b;          // upwind
        const int da = Along ? (v > 0 ? a : a - 1) : a, db = Along ? b : (v > 0 ? b : b - 1);  // downwind
        const double jump = density[AT(da, db)] - density[AT(ua, ub)];
        mass = v * (density[AT(ua, ub)] + 0.5 * (1 - fabs(v)) * copysign(fmin(fabs(jump), 0.5 * density[AT(ua, ub)]), jump) * 0.5);
        heat = mass * energy[AT(ua, ub)];
    };
    double m0, m1, e0, e1;
    flux(i, j, m0, e0);
    flux(Along ? i + 1 : i, Along ? j : j + 1, m1, e1);
    const double after = density[AT(i, j)] + m0 - m1;
    energy1[AT(i, j)] = (density[AT(i, j)] * energy[AT(i, j)] + e0 - e1) / after;
    density1[AT(i, j)] = after;
}
__global__ void summary(const double* density, const double* energy, double* mass, double* heat) {
    __shared__ double m[32][4], e[32][4];
    double a = 0, b = 0;
    const int i = blockIdx.x * 32 + threadIdx.x;
    for (int j = blockIdx.y * 4 + threadIdx.y; j < ny; j += gridDim.y * 4)
        if (i < nx) a += density[AT(i, j)], b += density[AT(i, j)] * energy[AT(i, j)];
    m[threadIdx.x][threadIdx.y] = a, e[threadIdx.x][threadIdx.y] = b;
    __syncthreads();
    if (threadIdx.x + threadIdx.y > 0) return;
    for (int k = 1; k < 128; ++k) a += m[k % 32][k / 32], b += e[k % 32][k / 32];
    atomicAdd(mass, a), atomicAdd(heat, b);
}

int main() {
    const double h = 10.0 / nx, dt = 0.0015;
    const size_t count = (size_t)pitch * rows;
    double *density, *energy, *density1, *energy1, *pressure, *q, *sound, *xv, *yv, *totals;
    for (double** field : {&density, &energy, &density1, &energy1, &pressure, &q, &sound, &xv, &yv}) {
        CHECK(cudaMalloc(field, count * 8));
        CHECK(cudaMemset(*field, 0, count * 8));
    }
    CHECK(cudaMallocManaged(&totals, 32));
    std::vector<double> d(count, 0.2), e(count, 1.0);
    for (int j = 0; j < ny / 3; ++j)
        for (int i = 0; i < nx / 4; ++i) d[AT(i, j)] = 1.0, e[AT(i, j)] = 2.5;
    CHECK(cudaMemcpy(density, d.data(), count * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(energy, e.data(), count * 8, cudaMemcpyHostToDevice));
    const dim3 block(64, 4), grid((nx + 64) / 64, (ny + 4) / 4), sums(nx / 32, 8);
    const int around = (std::max(nx, ny) + 1 + 255) / 256;
    std::fill(totals, totals + 4, 0.0);
    Elapsed elapsed;
    summary<<<sums, dim3(32, 4)>>>(density, energy, totals, totals + 1);
    for (int step = 0; step < 6; ++step) {
        ideal_gas<<<grid, block>>>(density, energy, pressure, sound);
        viscous<<<grid, block>>>(density, xv, yv, q, h);
        for (double* field : {density, energy, pressure, q}) edges<<<around, 256>>>(field, 2, nx, ny, 1, 1);
        accelerate<<<grid, block>>>(density, pressure, q, xv, yv, dt, h);
        work<<<grid, block>>>(density, energy, pressure, q, xv, yv, dt, h);
        edges<<<around, 256>>>(xv, 1, nx + 1, ny + 1, -1, 1);
        edges<<<around, 256>>>(yv, 1, nx + 1, ny + 1, 1, -1);
        for (double* field : {density, energy}) edges<<<around, 256>>>(field, 2, nx, ny, 1, 1);
        advect<true><<<grid, block>>>(density, energy, xv, density1, energy1, dt, h);
        for (double* field : {density1, energy1}) edges<<<around, 256>>>(field, 2, nx, ny, 1, 1);
        advect<false><<<grid, block>>>(density1, energy1, yv, density, energy, dt, h);
    }
    summary<<<sums, dim3(32, 4)>>>(density, energy, totals + 2, totals + 3);
    elapsed.print();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d.data(), density, count * 8, cudaMemcpyDeviceToHost));
    bool finite = true;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) finite = finite && d[AT(i, j)] > 0 && d[AT(i, j)] < 5;
    digest("density", d.data(), count * 8);
    printf("mass %.10g %.10g energy %.10g %.10g\n", totals[0], totals[2], totals[1], totals[3]);
    return verdict(finite && near(totals[0], totals[2], 0.02), "clover");
}
