// What CUDA versions of examples share: arrays on the device, loops over threads, times, sizes from the command line.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "example.h"

namespace {

constexpr int block = 256, rounds = 7;

void check(cudaError_t status) {
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        exit(1);
    }
}

// An array on the device, and what it starts with.
template <typename T>
struct Array {
    std::vector<T> host;
    T *data = nullptr;
    explicit Array(std::vector<T> values) : host(std::move(values)) { check(cudaMalloc(&data, host.size() * sizeof(T))); }
    Array(const Array &) = delete;
    void up() { check(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void down() { check(cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost)); }
};

template <typename Body>
__global__ void each(unsigned count, Body body) {  // divisions of 32 bits take a third of those of 64
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) body(i);
}

template <typename Body>
void parallel(long count, Body body) {
    if (count > 0) each<<<(unsigned)std::min((count + block - 1) / block, 1l << 20), block>>>((unsigned)count, body);
}

// Times `body`, the fastest of several rounds, each from the same data.
double timed(const std::function<void()> &reset, const std::function<void()> &body) {
    double best = 1e30;
    for (int round = 0; round < rounds; round++) {
        reset();
        check(cudaDeviceSynchronize());
        const double started = now();
        body();
        check(cudaDeviceSynchronize());
        best = std::min(best, now() - started);
    }
    return best;
}

void print(double seconds, const std::vector<double> &values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    printf("seconds %.9f checksum %.12g\n", seconds, sum);
}

void print(double seconds, Array<double> &values, size_t count) {
    values.down();
    print(seconds, values.host, count);
}

std::vector<double> filled(size_t count, unsigned seed) {
    std::vector<double> made(count);
    for (double &one : made) one = number(&seed);
    return made;
}

using Arguments = std::vector<int>;
int argument(const Arguments &given, size_t position, int preset) { return position < given.size() ? given[position] : preset; }

int multiprocessors() {
    int found = 0;
    check(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, 0));
    return found;
}

// What a program does: the example that its first argument names, with the numbers behind it.
int run(int argc, char **argv, const std::map<std::string, void (*)(const Arguments &)> &examples) {
    const auto found = examples.find(argc > 1 ? argv[1] : "");
    if (found == examples.end()) {
        fprintf(stderr, "which example?\n");
        return 2;
    }
    Arguments given;
    for (int i = 2; i < argc; i++) given.push_back(atoi(argv[i]));
    found->second(given);
    return 0;
}

}  // namespace
