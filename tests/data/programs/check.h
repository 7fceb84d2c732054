#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        const cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                      \
            std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error));                \
            std::exit(1);                                                                                \
        }                                                                                                \
    } while (0)

#define EXPECT(condition)                                                  \
    do {                                                                   \
        if (!(condition)) {                                                \
            std::printf("line %d: not true: %s\n", __LINE__, #condition); \
            std::exit(1);                                                  \
        }                                                                  \
    } while (0)
