// Runs a code on the CPU and the GPU at the same time, at shares of 0, 10 … 100 % for the GPU, and prints their times.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(call)                                                                          \
    do {                                                                                     \
        cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); exit(2); } \
    } while (0)
static double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
template <class T> T* pinned(size_t n) { T* p; CHECK(cudaMallocHost(&p, n * sizeof(T))); return p; }
template <class T> T* device(size_t n) { T* p; CHECK(cudaMalloc(&p, n * sizeof(T))); return p; }
template <class T> void up(T* to, const T* from, size_t n) { CHECK(cudaMemcpyAsync(to, from, n * sizeof(T), cudaMemcpyHostToDevice)); }
template <class T> void down(T* to, const T* from, size_t n) { CHECK(cudaMemcpyAsync(to, from, n * sizeof(T), cudaMemcpyDeviceToHost)); }
inline float number(size_t i) { return 0.001f * ((i * 2654435761u >> 8) % 1000) + 0.1f; }
static double middle(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
// `gpu(items)` submits the copies and the kernel of the first items; `cpu(begin, end)` computes the others.
template <class Gpu, class Cpu> void shares(const char* name, long items, long step, Gpu gpu, Cpu cpu) {
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first)); CHECK(cudaEventCreate(&last));
    for (int share = 0; share <= 100; share += 10) {
        const long own = share == 100 ? items : items * share / 100 / step * step;
        std::vector<double> whole, host, other;
        for (int round = 0; round < 9; ++round) {
            CHECK(cudaDeviceSynchronize());
            const double start = now();
            if (own > 0) { CHECK(cudaEventRecord(first)); gpu(own); CHECK(cudaEventRecord(last)); }
            const double submitted = now();
            if (own < items) cpu(own, items);
            const double computed = now();
            CHECK(cudaDeviceSynchronize());
            const double end = now();
            float ms = 0;
            if (own > 0) CHECK(cudaEventElapsedTime(&ms, first, last));
            if (round < 2) continue;
            whole.push_back(end - start); host.push_back(own < items ? computed - submitted : 0); other.push_back(ms);
        }
        printf("%s,%d,%ld,%.4f,%.4f,%.4f\n", name, share, own, middle(whole), middle(host), middle(other));
        fflush(stdout);
    }
}
