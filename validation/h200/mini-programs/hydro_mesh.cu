// Lagrangian hydrodynamics on an unstructured mesh of hexahedra, in many small kernels: forces gathered by node, motion, strain and
// volume, an equation of state by regions, and a time step that is reduced to the host.
#include "../user-programs/digest.h"

struct Mesh {
    int side, cells, nodes;
    int* corner;       // 8 of each cell
    int *first, *own;  // corners of each node: where they begin, and which
};
struct Fields {
    double *x, *y, *z, *u, *v, *w, *mass;
    double *fx, *fy, *fz;  // of each corner
    double *e, *p, *q, *volume, *reference, *change, *sound;
};

__global__ void stress(Mesh m, Fields f) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m.cells) return;
    double cx = 0, cy = 0, cz = 0;
    for (int k = 0; k < 8; ++k) {
        const int n = m.corner[8 * c + k];
        cx += f.x[n], cy += f.y[n], cz += f.z[n];
    }
    cx /= 8, cy /= 8, cz /= 8;
    const double pressure = f.p[c] + f.q[c], edge = cbrt(f.volume[c]);
    for (int k = 0; k < 8; ++k) {
        const int n = m.corner[8 * c + k];
        const double scale = pressure * edge / 4 * edge;
        const double dx = f.x[n] - cx, dy = f.y[n] - cy, dz = f.z[n] - cz, r = rsqrt(dx * dx + dy * dy + dz * dz);
        f.fx[8 * c + k] = scale * dx * r, f.fy[8 * c + k] = scale * dy * r, f.fz[8 * c + k] = scale * dz * r;
    }
}
__global__ void move_nodes(Mesh m, Fields f, double dt) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= m.nodes) return;
    double ax = 0, ay = 0, az = 0;
    for (int k = m.first[n]; k < m.first[n + 1]; ++k) ax += f.fx[m.own[k]], ay += f.fy[m.own[k]], az += f.fz[m.own[k]];
    const double step = dt / f.mass[n];
    const int s = m.side + 1, i = n % s, j = n / s % s, k = n / (s * s);
    f.u[n] = i == 0 ? 0 : f.u[n] + ax * step;
    f.v[n] = j == 0 ? 0 : f.v[n] + ay * step;
    f.w[n] = k == 0 ? 0 : f.w[n] + az * step;
    f.x[n] += dt * f.u[n], f.y[n] += dt * f.v[n], f.z[n] += dt * f.w[n];
}
__device__ double triple(const Fields& f, int o, int a, int b, int c) {
    const double ax = f.x[a] - f.x[o], ay = f.y[a] - f.y[o], az = f.z[a] - f.z[o];
    const double bx = f.x[b] - f.x[o], by = f.y[b] - f.y[o], bz = f.z[b] - f.z[o];
    const double cx = f.x[c] - f.x[o], cy = f.y[c] - f.y[o], cz = f.z[c] - f.z[o];
    return ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
}
__global__ void volumes(Mesh m, Fields f) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m.cells) return;
    const int* n = m.corner + 8 * c;
    // five tetrahedra: corners 1, 2, 4 and 7 are cut off from the one inside
    const double v = fabs(triple(f, n[0], n[1], n[2], n[4])) + fabs(triple(f, n[3], n[1], n[2], n[7])) +
                     fabs(triple(f, n[5], n[1], n[4], n[7])) + fabs(triple(f, n[6], n[2], n[4], n[7])) + fabs(triple(f, n[1], n[2], n[4], n[7]));
    f.change[c] = v / 6 - f.volume[c];
    f.volume[c] = v / 6;
}
__global__ void viscosity(Mesh m, Fields f, double dt) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m.cells) return;
    const double rate = f.change[c] / f.volume[c] / dt, edge = cbrt(f.volume[c]);
    f.q[c] = rate < 0 ? (1.5 * rate * rate * edge * edge - 0.06 * rate * edge * f.sound[c]) * f.reference[c] / f.volume[c] : 0;
}
__global__ void state(Mesh m, Fields f, int regions) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= m.cells) return;
    const int rounds = 1 + c % regions;  // some materials are dearer
    double e = f.e[c], p = f.p[c];
    const double density = f.reference[c] / f.volume[c];
    for (int r = 0; r < rounds; ++r) {
        const double half = e - 0.5 * f.change[c] * (p + f.q[c]);
        p = fmax(2.0 / 3 * density * half, 0.0);
    }
    e -= f.change[c] * (p + f.q[c]);
    f.e[c] = fmax(e, 0.0), f.p[c] = p;
    f.sound[c] = sqrt(5.0 / 3 * p / density + 1e-9);
}
__global__ void least_step(Mesh m, Fields f, double* least) {
    __shared__ double own[256];
    double best = 1e20;
    for (int c = blockIdx.x * 256 + threadIdx.x; c < m.cells; c += gridDim.x * 256) best = fmin(best, cbrt(f.volume[c]) / f.sound[c]);
    own[threadIdx.x] = best;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) own[threadIdx.x] = fmin(own[threadIdx.x], own[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) least[blockIdx.x] = own[0];
}

int main() {
    const int side = 44, s = side + 1, steps = 12, blocks = 64;
    Mesh m = {side, side * side * side, s * s * s};
    std::vector<int> corner(8 * m.cells), first(m.nodes + 1), own(8 * m.cells);
    for (int c = 0; c < m.cells; ++c)
        for (int k = 0; k < 8; ++k) {
            const int i = c % side + k % 2, j = c / side % side + k / 2 % 2, l = c / (side * side) + k / 4;
            corner[8 * c + k] = i + s * (j + s * l);
            ++first[corner[8 * c + k] + 1];
        }
    for (int n = 0; n < m.nodes; ++n) first[n + 1] += first[n];
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int k = 0; k < 8 * m.cells; ++k) own[next[corner[k]]++] = k;
    CHECK(cudaMalloc(&m.corner, corner.size() * 4));
    CHECK(cudaMalloc(&m.first, first.size() * 4));
    CHECK(cudaMalloc(&m.own, own.size() * 4));
    CHECK(cudaMemcpy(m.corner, corner.data(), corner.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(m.first, first.data(), first.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(m.own, own.data(), own.size() * 4, cudaMemcpyHostToDevice));
    Fields f;
    double* least;
    auto put = [](double** where, const std::vector<double>& data) {
        CHECK(cudaMalloc(where, data.size() * 8));
        CHECK(cudaMemcpy(*where, data.data(), data.size() * 8, cudaMemcpyHostToDevice));
    };
    const double h = 1.0 / side;
    std::vector<double> x(m.nodes), y(m.nodes), z(m.nodes), mass(m.nodes), zero(m.nodes), e(m.cells), p(m.cells), v(m.cells, h * h * h), none(m.cells);
    for (int n = 0; n < m.nodes; ++n) x[n] = h * (n % s), y[n] = h * (n / s % s), z[n] = h * (n / (s * s)), mass[n] = h * h * h * (first[n + 1] - first[n]) / 8;
    e[0] = 3.0 * h * h * h, p[0] = 2.0;
    put(&f.x, x), put(&f.y, y), put(&f.z, z), put(&f.mass, mass), put(&f.u, zero), put(&f.v, zero), put(&f.w, zero);
    put(&f.e, e), put(&f.p, p), put(&f.q, none), put(&f.volume, v), put(&f.reference, v), put(&f.change, none), put(&f.sound, std::vector<double>(m.cells, 1e-3));
    for (double** part : {&f.fx, &f.fy, &f.fz}) CHECK(cudaMalloc(part, 8 * m.cells * sizeof(double)));
    CHECK(cudaMalloc(&least, blocks * 8));
    double dt = 1e-4, time = 0;
    const int of_cells = (m.cells + 127) / 128, of_nodes = (m.nodes + 127) / 128;
    Elapsed elapsed;
    for (int step = 0; step < steps; ++step) {
        stress<<<of_cells, 128>>>(m, f);
        move_nodes<<<of_nodes, 128>>>(m, f, dt);
        volumes<<<of_cells, 128>>>(m, f);
        viscosity<<<of_cells, 128>>>(m, f, dt);
        state<<<of_cells, 128>>>(m, f, 5);
        least_step<<<blocks, 256>>>(m, f, least);
        CHECK(cudaGetLastError());
        double parts[blocks];
        CHECK(cudaMemcpy(parts, least, sizeof parts, cudaMemcpyDeviceToHost));
        double best = 1e20;
        for (double part : parts) best = fmin(best, part);
        time += dt, dt = fmin(0.2 * best, 1.1 * dt);
    }
    elapsed.print();
    std::vector<double> volume(m.cells), energy(m.cells);
    CHECK(cudaMemcpy(volume.data(), f.volume, m.cells * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(energy.data(), f.e, m.cells * 8, cudaMemcpyDeviceToHost));
    double total = 0;
    bool symmetric = true;  // the blast is in the corner: x, y and z may be exchanged
    for (int k = 0; k < side; ++k)
        for (int i = 0; i < side; ++i) symmetric = symmetric && near(energy[i + side * side * k] + 1e-12, energy[k + side * side * i] + 1e-12, 1e-6);
    for (double part : volume) total += part;
    digest("volume", volume.data(), m.cells * 8);
    printf("time %.6g volume %.9f\n", time, total);
    return verdict(symmetric && total > 0.999 && total < 1.2 && energy[1] > 0, "hydro_mesh");
}
