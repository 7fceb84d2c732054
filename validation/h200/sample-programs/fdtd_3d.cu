// In the manner of CUDA's FDTD3d: a stencil of radius 4, tiles in shared memory, the front in registers; attributes asked.
#include "../programs/check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int RADIUS = 4, X = 128, Y = 64, Z = 32, BX = 32, BY = 16;
__constant__ float stencil[RADIUS + 1];
__global__ void finite_differences(float* out, const float* in, int dimx, int dimy, int dimz) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
    const int gx = blockIdx.x * BX + threadIdx.x, gy = blockIdx.y * BY + threadIdx.y, lx = threadIdx.x, ly = threadIdx.y;
    const int row = dimx + 2 * RADIUS, plane = row * (dimy + 2 * RADIUS);
    int at = RADIUS * row + RADIUS + gy * row + gx, to;
    float front[RADIUS], behind[RADIUS], current;
#pragma unroll
    for (int i = RADIUS - 2; i >= 0; --i) behind[i] = in[at], at += plane;
    current = in[at], to = at, at += plane;
#pragma unroll
    for (int i = 0; i < RADIUS; ++i) front[i] = in[at], at += plane;
    for (int z = 0; z < dimz; ++z) {
#pragma unroll
        for (int i = RADIUS - 1; i > 0; --i) behind[i] = behind[i - 1];
        behind[0] = current, current = front[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; ++i) front[i] = front[i + 1];
        front[RADIUS - 1] = in[at];
        at += plane, to += plane;
        cg::sync(block);
        if (ly < RADIUS) tile[ly][lx + RADIUS] = in[to - RADIUS * row], tile[ly + BY + RADIUS][lx + RADIUS] = in[to + BY * row];
        if (lx < RADIUS) tile[ly + RADIUS][lx] = in[to - RADIUS], tile[ly + RADIUS][lx + BX + RADIUS] = in[to + BX];
        tile[ly + RADIUS][lx + RADIUS] = current;
        cg::sync(block);
        float value = stencil[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; ++i)
            value += stencil[i] * (front[i - 1] + behind[i - 1] + tile[ly + RADIUS - i][lx + RADIUS] + tile[ly + RADIUS + i][lx + RADIUS] +
                                   tile[ly + RADIUS][lx + RADIUS - i] + tile[ly + RADIUS][lx + RADIUS + i]);
        out[to] = value;
    }
}
int main() {
    const int row = X + 2 * RADIUS, plane = row * (Y + 2 * RADIUS), total = plane * (Z + 2 * RADIUS);
    std::vector<float> a(total), b(total), got(total);
    Random random(19);
    for (auto& v : a) v = random.real();
    b = a;
    float c[RADIUS + 1] = {0.5f, 0.03f, 0.02f, 0.01f, 0.005f};
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, finite_differences));
    int blocks = 0, least = 0, best = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, finite_differences, BX * BY, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &best, finite_differences, 0, 1024));
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    bool right = attributes.sharedSizeBytes == sizeof(float) * (BY + 2 * RADIUS) * (BX + 2 * RADIUS) && attributes.maxThreadsPerBlock >= 512 &&
                 blocks >= 1 && best >= 128 && least >= p.multiProcessorCount && p.warpSize == 32 && attributes.constSizeBytes >= sizeof c;
    float *da, *db;
    CHECK(cudaMalloc((void**)&da, total * 4)); CHECK(cudaMalloc((void**)&db, total * 4));
    CHECK(cudaMemcpy(da, a.data(), total * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(db, a.data(), total * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(stencil, c, sizeof c));
    Elapsed elapsed;
    for (int step = 0; step < 3; ++step, std::swap(da, db)) finite_differences<<<dim3(X / BX, Y / BY), dim3(BX, BY)>>>(db, da, X, Y, Z);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), da, total * 4, cudaMemcpyDeviceToHost));
    for (int step = 0; step < 3; ++step, std::swap(a, b))
        for (int z = RADIUS; z < Z + RADIUS; ++z)
            for (int y = RADIUS; y < Y + RADIUS; ++y)
                for (int x = RADIUS; x < X + RADIUS; ++x) {
                    const float* q = &a[z * plane + y * row + x];
                    float v = c[0] * q[0];
                    for (int i = 1; i <= RADIUS; ++i) v += c[i] * (q[i] + q[-i] + q[i * row] + q[-i * row] + q[i * plane] + q[-i * plane]);
                    b[z * plane + y * row + x] = v;
                }
    for (int z = RADIUS; z < Z + RADIUS; ++z)
        for (int y = RADIUS; y < Y + RADIUS; ++y)
            for (int x = RADIUS; x < X + RADIUS; ++x) right = right && near(got[z * plane + y * row + x], a[z * plane + y * row + x], 1e-5);
    return verdict(right, "fdtd_3d");
}
