// Versions of eight examples made fast for a GPU: optimised NAME ARGUMENTS…  prints what the examples print, of the
// fastest of several rounds. Tiles in shared memory, several results in the registers of a thread; data on the device.
// nvcc -O3 -std=c++17 -arch=native --extended-lambda -I../../src/foretell/examples/kernels -o optimised optimised.cu
#include <cmath>
#include <map>
#include <string>

#include "device.cuh"

namespace {

unsigned parts(size_t count, size_t each) { return (unsigned)((count + each - 1) / each); }

// ------------------------------------------------------------------------------------------ product

constexpr int tile = 64, deep = 16, tall = 8, broad = 4, across = tile / broad;  // of C and of A, B; results of a thread

// A tile of C: tiles of A (turned) and B in shared memory, the next ones on their way in registers meanwhile.
__global__ void __launch_bounds__(128) product_tile(int n, const double *a, const double *b, double *c) {
    __shared__ double left[2][deep][tile + 2], right[2][deep][tile];
    const int me = threadIdx.x, tx = me % across, ty = me / across, row = blockIdx.y * tile, column = blockIdx.x * tile;
    double next_a[8], next_b[8], sum[tall][broad] = {};
    const auto load = [&](int depth) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            next_a[k] = a[(size_t)(row + me / deep + 8 * k) * n + depth + me % deep];
            next_b[k] = b[(size_t)(depth + me / tile + 2 * k) * n + column + me % tile];
        }
    };
    const auto keep = [&](int at) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            left[at][me % deep][me / deep + 8 * k] = next_a[k];
            right[at][me / tile + 2 * k][me % tile] = next_b[k];
        }
    };
    load(0);
    keep(0);
    __syncthreads();
    for (int depth = 0, at = 0; depth < n; depth += deep, at ^= 1) {
        const bool more = depth + deep < n;
        if (more) load(depth + deep);
#pragma unroll
        for (int k = 0; k < deep; k++) {
            double x[tall], y[broad];
#pragma unroll
            for (int i = 0; i < tall; i += 2) {
                const double2 pair = *(const double2 *)&left[at][k][ty * tall + i];
                x[i] = pair.x, x[i + 1] = pair.y;
            }
#pragma unroll
            for (int j = 0; j < broad; j += 2) {
                const double2 pair = *(const double2 *)&right[at][k][j / 2 * 2 * across + tx * 2];
                y[j] = pair.x, y[j + 1] = pair.y;
            }
#pragma unroll
            for (int i = 0; i < tall; i++)
#pragma unroll
                for (int j = 0; j < broad; j++) sum[i][j] += x[i] * y[j];
        }
        if (more) keep(at ^ 1);
        __syncthreads();
    }
    for (int i = 0; i < tall; i++)
        for (int j = 0; j < broad; j++) c[(size_t)(row + ty * tall + i) * n + column + j / 2 * 2 * across + tx * 2 + j % 2] += sum[i][j];
}

void matrix_product(const Arguments &given) {  // N must be a multiple of 64
    const int n = given.at(0);
    const size_t cells = (size_t)n * n;
    Array<double> a(filled(cells, 30)), b(filled(cells, 31)), c(filled(cells, 32));
    const double seconds = timed([&] { a.up(), b.up(), c.up(); },
                                 [&] { product_tile<<<dim3(n / tile, n / tile), 128>>>(n, a.data, b.data, c.data); });
    print(seconds, c, cells);
}

// ------------------------------------------------------------------------------------------ vectors and matrices

void vector_update(const Arguments &given) {  // N must be even
    const int n = given.at(0);
    Array<double> x(filled(n, 33)), y(filled(n, 34));
    const double2 *from = (const double2 *)x.data;
    double2 *to = (double2 *)y.data;
    const double seconds = timed([&] { x.up(), y.up(); }, [&] {
        parallel(n / 2, [=] __device__(unsigned i) {
            const double2 add = from[i];
            double2 one = to[i];
            one.x += 0.3 * add.x, one.y += 0.3 * add.y;
            to[i] = one;
        });
    });
    print(seconds, y, n);
}

__global__ void __launch_bounds__(block) partial_dot(unsigned pairs, const double2 *x, const double2 *y, double *sum) {
    __shared__ double warps[block / 32];
    double total = 0;
    for (unsigned i = blockIdx.x * block + threadIdx.x; i < pairs; i += gridDim.x * block) {
        const double2 left = x[i], right = y[i];
        total += left.x * right.x + left.y * right.y;
    }
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_down_sync(~0u, total, distance);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int warp = 1; warp < block / 32; warp++) total += warps[warp];
    atomicAdd(sum, total);
}

void dot(const Arguments &given) {  // N must be even
    const int n = given.at(0);
    Array<double> x(filled(n, 35)), y(filled(n, 36)), sum(std::vector<double>(1));
    const double seconds = timed([&] { x.up(), y.up(), sum.up(); }, [&] {
        partial_dot<<<16 * multiprocessors(), block>>>(n / 2, (const double2 *)x.data, (const double2 *)y.data, sum.data);
    });
    print(seconds, sum, 1);
}

__global__ void __launch_bounds__(256) turned_tile(int n, const double *a, double *b) {
    __shared__ double part[32][33];
    const int tx = threadIdx.x % 32, ty = threadIdx.x / 32, row = blockIdx.y * 32, column = blockIdx.x * 32;
#pragma unroll
    for (int k = ty; k < 32; k += 8) part[k][tx] = a[(size_t)(row + k) * n + column + tx];
    __syncthreads();
#pragma unroll
    for (int k = ty; k < 32; k += 8) b[(size_t)(column + k) * n + row + tx] = part[tx][k];
}

void transpose(const Arguments &given) {  // N must be a multiple of 32
    const int n = given.at(0);
    const size_t cells = (size_t)n * n;
    Array<double> a(filled(cells, 42)), b(filled(cells, 43));
    const double seconds = timed([&] { a.up(), b.up(); }, [&] { turned_tile<<<dim3(n / 32, n / 32), 256>>>(n, a.data, b.data); });
    b.down();
    b.host.erase(b.host.begin(), b.host.begin() + (long)(cells / 3));
    print(seconds, b.host, cells / 2);
}

void spmv_csr(const Arguments &given) {  // a warp for each row
    const int rows = given.at(0), per_row = given.at(1);
    std::vector<int> starts(rows + 1), columns((size_t)rows * per_row);
    unsigned state = 10;
    for (int i = 0; i <= rows; i++) starts[i] = i * per_row;
    for (int &one : columns) one = (int)(number(&state) * rows);
    Array<int> start(starts), column(columns);
    Array<double> value(filled(columns.size(), 7)), x(filled(rows, 8)), y(filled(rows, 9));
    const int *first = start.data, *where = column.data;
    const double *v = value.data, *in = x.data;
    double *out = y.data;
    const double seconds = timed([&] { start.up(), column.up(), value.up(), x.up(), y.up(); }, [&] {
        parallel(32l * rows, [=] __device__(unsigned t) {
            const unsigned row = t / 32;
            const int last = first[row + 1];
            double sum = 0;
#pragma unroll 4
            for (int k = first[row] + (int)(t % 32); k < last; k += 32) sum += __ldcs(v + k) * __ldg(in + __ldcs(where + k));
            for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
            if (t % 32 == 0) out[row] = sum;
        });
    });
    print(seconds, y, rows);
}

// ------------------------------------------------------------------------------------------ grids

constexpr int layers = 16;

// A column of 32 by 8 cells goes through `layers` planes: its plane in shared memory, those around it in registers.
__global__ void __launch_bounds__(256) swept(int n, const double *from, double *to) {
    __shared__ double plane[10][34];
    const int x = threadIdx.x % 32 + 1, y = threadIdx.x / 32 + 1, k = blockIdx.x * 32 + x, j = blockIdx.y * 8 + y;
    const size_t step = (size_t)n * n;
    const bool inside = k < n - 1 && j < n - 1, there = k < n && j < n;
    const int first = blockIdx.z * layers + 1, last = min(first + layers, n - 1);
    const double *at = from + (size_t)first * step + (size_t)j * n + k;
    double below = there ? at[-(long)step] : 0, here = there ? at[0] : 0;
    for (int i = first; i < last; i++, at += step) {
        const double above = there ? at[step] : 0;
        __syncthreads();
        plane[y][x] = here;
        if (there && x == 1) plane[y][0] = at[-1];
        if (there && y == 1) plane[0][x] = at[-n];
        if (k + 1 < n && there && x == 32) plane[y][33] = at[1];
        if (j + 1 < n && there && y == 8) plane[9][x] = at[n];
        __syncthreads();
        if (inside)
            to[at - from] = 0.4 * here + 0.1 * (below + above + plane[y - 1][x] + plane[y + 1][x] + plane[y][x - 1] + plane[y][x + 1]);
        below = here, here = above;
    }
}

void jacobi7(const Arguments &given) {
    const int n = given.at(0), steps = given.at(1);
    const size_t cells = (size_t)n * n * n;
    Array<double> a(filled(cells, 1)), b(filled(cells, 1));
    const double seconds = timed([&] { a.up(), b.up(); }, [&] {
        double *from = a.data, *to = b.data;
        for (int t = 0; t < steps; t++, std::swap(from, to))
            swept<<<dim3(parts(n - 2, 32), parts(n - 2, 8), parts(n - 2, layers)), 256>>>(n, from, to);
    });
    print(seconds, a, cells);
}

constexpr int side = 9, rows = 8, patch = 64;
__constant__ double weights[side * side];

// A thread has `rows` results of a column: each value of the image in shared memory is read once for all of them.
__global__ void __launch_bounds__(256) filtered(int n, const double *image, double *result) {
    extern __shared__ double part[];  // (patch + 8) rows of 32 + 8
    constexpr int wide = 32 + side - 1;
    const int full = n + side - 1, tx = threadIdx.x % 32, ty = threadIdx.x / 32, row = blockIdx.y * patch, column = blockIdx.x * 32;
    for (int at = threadIdx.x; at < (patch + side - 1) * wide; at += 256)
        part[at] = image[(size_t)(row + at / wide) * full + column + at % wide];
    __syncthreads();
    double sum[rows] = {};
#pragma unroll
    for (int u = 0; u < rows + side - 1; u++) {
        double values[side];
#pragma unroll
        for (int v = 0; v < side; v++) values[v] = part[(ty * rows + u) * wide + tx + v];
#pragma unroll
        for (int i = 0; i < rows; i++)
            if (u - i >= 0 && u - i < side)
#pragma unroll
                for (int v = 0; v < side; v++) sum[i] += weights[(u - i) * side + v] * values[v];
    }
    for (int i = 0; i < rows; i++) result[(size_t)(row + ty * rows + i) * n + column + tx] = sum[i];
}

void convolution(const Arguments &given) {  // N must be a multiple of 64
    const int n = given.at(0), full = n + side - 1;
    const std::vector<double> filter = filled(side * side, 44);
    check(cudaMemcpyToSymbol(weights, filter.data(), sizeof weights));
    Array<double> image(filled((size_t)full * full, 45)), result(filled((size_t)n * n, 46));
    const size_t shared = sizeof(double) * (patch + side - 1) * (32 + side - 1);
    const double seconds = timed([&] { image.up(), result.up(); },
                                 [&] { filtered<<<dim3(n / 32, n / patch), 256, shared>>>(n, image.data, result.data); });
    print(seconds, result, (size_t)n * n);
}

// ------------------------------------------------------------------------------------------ particles

constexpr int crowd = 128;

struct alignas(16) Body {
    double x, y, z, mass;
};

__device__ double inverse_root(double v) {  // the unit's estimate and a step of third order
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(v));
    const double error = 1.0 - v * y * y;
    return y + y * error * (0.5 + 0.375 * error);
}

// 128 bodies against a share of all, 128 of them at a time in shared memory.
__global__ void __launch_bounds__(crowd) attracted(int n, const Body *body, double *acceleration) {
    __shared__ Body others[crowd];
    const int i = blockIdx.x * crowd + threadIdx.x;
    const Body me = body[i];
    double ax = 0, ay = 0, az = 0;
    for (int group = blockIdx.y; group < n / crowd; group += gridDim.y) {
        __syncthreads();
        others[threadIdx.x] = body[group * crowd + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < crowd; j++) {
            const Body other = others[j];
            const double dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const double inverse = inverse_root(dx * dx + dy * dy + (dz * dz + 1e-4));
            const double pull = other.mass * inverse * inverse * inverse;
            ax += pull * dx, ay += pull * dy, az += pull * dz;
        }
    }
    atomicAdd(acceleration + 3 * i, ax);
    atomicAdd(acceleration + 3 * i + 1, ay);
    atomicAdd(acceleration + 3 * i + 2, az);
}

void nbody(const Arguments &given) {  // N must be a multiple of 128
    const int n = given.at(0);
    const std::vector<double> x = filled(n, 37), y = filled(n, 38), z = filled(n, 39), mass = filled(n, 40);
    std::vector<Body> bodies(n);
    for (int i = 0; i < n; i++) bodies[i] = {x[i], y[i], z[i], mass[i]};
    Array<Body> body(bodies);
    Array<double> acceleration(std::vector<double>(3 * (size_t)n));
    const unsigned shares = parts(16 * multiprocessors(), n / crowd);
    const double seconds = timed([&] { body.up(), acceleration.up(); },
                                 [&] { attracted<<<dim3(n / crowd, shares), crowd>>>(n, body.data, acceleration.data); });
    acceleration.down();
    for (double &one : acceleration.host) one *= one;
    print(seconds, acceleration.host, 3 * (size_t)n);
}

}  // namespace

int main(int argc, char **argv) {
    return run(argc, argv, {{"matrix_product", matrix_product}, {"vector_update", vector_update}, {"dot", dot}, {"transpose", transpose},
                            {"spmv_csr", spmv_csr}, {"jacobi7", jacobi7}, {"convolution", convolution}, {"nbody", nbody}});
}
