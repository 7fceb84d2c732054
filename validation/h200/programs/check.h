// Shared by the programs: errors end them, results are compared with a version on the host, and the time between two
// events is printed.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                       \
    do {                                                                                                  \
        cudaError_t error_ = (call);                                                                      \
        if (error_ != cudaSuccess) {                                                                      \
            printf("%s:%d %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(error_), cudaGetErrorString(error_)); \
            exit(2);                                                                                      \
        }                                                                                                 \
    } while (0)

struct Elapsed {
    cudaEvent_t first, last;
    Elapsed() {
        CHECK(cudaEventCreate(&first));
        CHECK(cudaEventCreate(&last));
        CHECK(cudaEventRecord(first));
    }
    void print() {
        float ms = 0;
        CHECK(cudaEventRecord(last));
        CHECK(cudaEventSynchronize(last));
        CHECK(cudaEventElapsedTime(&ms, first, last));
        printf("elapsed %.6f ms\n", ms);
    }
};

// A generator of numbers that is the same everywhere.
struct Random {
    unsigned state;
    explicit Random(unsigned seed) : state(seed) {}
    unsigned next() {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
    float real() { return next() / 16777216.0f; }
};

inline int verdict(bool right, const char* name) {
    printf("%s %s\n", name, right ? "right" : "WRONG");
    return right ? 0 : 1;
}

inline bool near(double a, double b, double relative) {
    return fabs(a - b) <= relative * fmax(fmax(fabs(a), fabs(b)), 1e-30);
}
