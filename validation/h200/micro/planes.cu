// Steps through planes of a field, in parts that can be left out: where does the time of wave3d go?
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// MODE 0: next is written only; 1: read and written in place; 2: another array is read, next is written; 3: next is only read
// STAR 0: only the plane ahead is loaded; 1: all neighbours too
template <int BX, int BY, int TY, int MODE, int STAR>
__global__ void __launch_bounds__(BX* BY) march(const float* __restrict__ now, float* next,
                                                const float* __restrict__ prev, int n, int pitch, int off, int depth) {
    const int x0 = blockIdx.x * BX + off, y0 = blockIdx.y * BY * TY + 2, z0 = blockIdx.z * depth + 2;
    const int area = pitch * (n + 4), x = x0 + threadIdx.x;
    float queue[TY][5];
#pragma unroll
    for (int r = 0; r < TY; ++r)
#pragma unroll
        for (int k = 0; k < 4; ++k)
            queue[r][k + 1] = now[(z0 + k - 2) * area + (y0 + r * BY + threadIdx.y) * pitch + x];
#pragma unroll 1
    for (int z = z0; z < z0 + depth; ++z) {
#pragma unroll
        for (int r = 0; r < TY; ++r) {
            const int j = r * BY + threadIdx.y, at = z * area + (y0 + j) * pitch + x;
#pragma unroll
            for (int k = 0; k < 4; ++k) queue[r][k] = queue[r][k + 1];
            queue[r][4] = now[at + 2 * area];
            float sum =
                -7.5f * queue[r][2] + 1.3333f * (queue[r][1] + queue[r][3]) - 0.0833f * (queue[r][0] + queue[r][4]);
            if (STAR) {
                sum += 1.3333f * (now[at - 1] + now[at + 1] + now[at - pitch] + now[at + pitch]);
                sum -= 0.0833f * (now[at - 2] + now[at + 2] + now[at - 2 * pitch] + now[at + 2 * pitch]);
            }
            const float value = 2 * queue[r][2] + 0.1f * sum;
            if (MODE == 0) next[at] = value;
            if (MODE == 1) next[at] = value - next[at];
            if (MODE == 2) next[at] = value - prev[at];
            if (MODE == 3 && value - next[at] == 12345.678f) next[at] = 0;
        }
    }
}
__global__ void stream(const float* __restrict__ a, float* b, int off, size_t n) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x + off;
    if (i < n) b[i] += 2 * a[i];
}
__global__ void fill(float* p, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        p[i] = (i * 2654435761u >> 8 & 0xffff) / 65536.0f;
}
template <class F>
double timed(F f) {
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    f(), f();
    std::vector<float> t;
    for (int k = 0; k < 5; ++k) {
        cudaEventRecord(a);
        f(), f(), f();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        t.push_back(ms / 3 * 1e3f);
    }
    std::sort(t.begin(), t.end());
    return t[2];
}
float *now_, *next_, *prev_;
template <int BX, int BY, int TY, int MODE, int STAR>
void run(int pitch, int off, int depth, int layers) {
    const int n = 512;
    const dim3 grid(n / BX, n / (BY * TY), layers / depth), block(BX, BY);
    const double us =
        timed([&] { march<BX, BY, TY, MODE, STAR><<<grid, block>>>(now_, next_, prev_, n, pitch, off, depth); });
    std::printf("BX %d BY %d TY %d depth %d layers %d mode %d star %d pitch %d off %d: %.1f us  %s\n", BX, BY, TY,
                depth, layers, MODE, STAR, pitch, off, us, cudaGetErrorString(cudaGetLastError()));
    std::fflush(stdout);
}
template <int BX, int BY, int TY, int STAR>
void modes(int depth, bool only) {
    for (auto [pitch, off] : {std::pair{516, 2}, {520, 2}, {544, 2}, {544, 0}, {544, 8}, {576, 32}}) {
        run<BX, BY, TY, 1, STAR>(pitch, off, depth, 512);
        if (only) return;
        run<BX, BY, TY, 0, STAR>(pitch, off, depth, 512);
        run<BX, BY, TY, 2, STAR>(pitch, off, depth, 512);
        run<BX, BY, TY, 3, STAR>(pitch, off, depth, 512);
    }
}
int main(int argc, char** argv) {
    const size_t count = size_t(576) * 516 * 516 + 4096;
    cudaMalloc(&now_, 4 * count), cudaMalloc(&next_, 4 * count), cudaMalloc(&prev_, 4 * count);
    for (float* p : {now_, next_, prev_}) fill<<<1024, 256>>>(p, count);
    cudaDeviceSynchronize();
    if (argc > 1) {  // one launch each, for a profiler
        modes<128, 8, 1, 1>(128, true), modes<64, 1, 4, 1>(8, true);
        return 0;
    }
    modes<128, 8, 1, 1>(128, false), modes<128, 8, 1, 0>(128, false), modes<64, 1, 4, 1>(8, false);
    for (int layers : {32, 64, 128, 256, 512})
        run<128, 8, 1, 1, 1>(516, 2, 32, layers), run<128, 8, 1, 1, 0>(516, 2, 32, layers),
            run<128, 8, 1, 0, 0>(516, 2, 32, layers);
    for (int off : {0, 2, 8})
        for (size_t n : {size_t(1) << 24, size_t(1) << 26, size_t(1) << 27}) {
            const double us = timed([&] { stream<<<unsigned((n + 255) / 256), 256>>>(now_, next_, off, n); });
            std::printf("stream in place off %d n %zu: %.1f us %.2f TB/s\n", off, n, us, 12.0 * n / us / 1e6);
        }
}
