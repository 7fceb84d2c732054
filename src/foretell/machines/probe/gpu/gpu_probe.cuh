// What every measurement needs: printing, timing, memory on both sides.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#define CHECK(call)                                                                                     \
    do {                                                                                                \
        const cudaError_t status_ = (call);                                                             \
        if (status_ != cudaSuccess) {                                                                   \
            std::fprintf(stderr, "gpu_probe: %s: %s\n", #call, cudaGetErrorString(status_));            \
            std::exit(1);                                                                               \
        }                                                                                               \
    } while (0)

// ------------------------------------------------------------------------------------------- output

static bool first_measurement = true;

static void emit(const std::string& name, double value, const char* unit, const char* how) {
    std::printf("%s\n    {\"name\": \"%s\", \"value\": %.9g, \"unit\": \"%s\", \"how\": \"%s\"}",
                first_measurement ? "" : ",", name.c_str(), value, unit, how);
    first_measurement = false;
    std::fflush(stdout);
}

static double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Seconds of one execution: `launch` is enqueued `times` times between two events, median of nine such runs.
template <class Launch>
static double seconds(Launch launch, int times = 1) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (begin == nullptr) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    for (int warm = 0; warm < 2; ++warm) launch();
    std::vector<double> runs;
    for (int run = 0; run < 9; ++run) {
        CHECK(cudaEventRecord(begin));
        for (int k = 0; k < times; ++k) launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        runs.push_back(milliseconds * 1e-3 / times);
    }
    CHECK(cudaGetLastError());
    return median(runs);
}

// Memory of both sides that is freed at the end of its scope.
template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t count) : count_(count) {
        CHECK(cudaMalloc(&data_, count * sizeof(T)));
        CHECK(cudaMemset(data_, 0, count * sizeof(T)));
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(data_); }
    operator T*() const { return data_; }
    // A copy on the host, after everything that was launched has finished.
    std::vector<T> host() const {
        CHECK(cudaDeviceSynchronize());
        std::vector<T> copy(count_);
        CHECK(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
    void fill(const std::vector<T>& values) {
        CHECK(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

static int attribute(cudaDeviceAttr which) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}
