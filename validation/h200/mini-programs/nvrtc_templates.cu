// NVRTC: a source with a template, its instances by name, headers given as text, a cubin and PTX of the same program, and a log of errors.
//     nvcc -std=c++17 -arch=sm_90 -o nvrtc_templates nvrtc_templates.cu -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>

#include <string>

#include "../user-programs/digest.h"

static const char* source = R"(
#include "shape.h"
template <typename T, int Ways>
__global__ void fold(const T* in, T* out, int n) {
    __shared__ T own[SIZE];
    T sum = 0;
#pragma unroll
    for (int i = blockIdx.x * SIZE + threadIdx.x; i < n; i += gridDim.x * SIZE) sum += in[i] * in[i];
    own[threadIdx.x] = sum;
    for (int step = SIZE / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = own[0];
}
)";
static const char* header = "#pragma once\nconstexpr int SIZE = 256;\n";
template <typename T>
static bool one(const char* name, bool as_ptx, CUcontext) {
    nvrtcProgram program;
    const char* header_name = "shape.h";
    if (nvrtcCreateProgram(&program, source, "fold.cu", 1, &header, &header_name) != NVRTC_SUCCESS) return false;
    nvrtcAddNameExpression(program, name);
    const char* options[] = {as_ptx ? "--gpu-architecture=compute_80" : "--gpu-architecture=sm_90", "--std=c++17", "-lineinfo"};
    if (nvrtcCompileProgram(program, 3, options) != NVRTC_SUCCESS) {
        size_t size;
        nvrtcGetProgramLogSize(program, &size);
        std::string log(size, ' ');
        nvrtcGetProgramLog(program, &log[0]);
        printf("%s\n", log.c_str());
        return false;
    }
    const char* lowered;
    nvrtcGetLoweredName(program, name, &lowered);
    const std::string found = lowered;
    size_t size;
    if (as_ptx) nvrtcGetPTXSize(program, &size);
    else nvrtcGetCUBINSize(program, &size);
    std::string code(size, 0);
    if (as_ptx) nvrtcGetPTX(program, &code[0]);
    else nvrtcGetCUBIN(program, &code[0]);
    nvrtcDestroyProgram(&program);
    CUmodule module;
    CUfunction kernel;
    if (cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr) != CUDA_SUCCESS) return false;
    if (cuModuleGetFunction(&kernel, module, found.c_str()) != CUDA_SUCCESS) return false;
    const int blocks = 128;
    int n = 1 << 20;
    std::vector<T> in(n), out(blocks);
    double exact = 0, total = 0;
    for (int i = 0; i < n; ++i) in[i] = i % 10, exact += (double)in[i] * in[i];
    T *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(T)));
    CHECK(cudaMalloc(&b, blocks * sizeof(T)));
    CHECK(cudaMemcpy(a, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    void* arguments[] = {&a, &b, &n};
    if (cuLaunchKernel(kernel, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS) return false;
    CHECK(cudaMemcpy(out.data(), b, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    for (T part : out) total += part;
    digest(name, out.data(), blocks * sizeof(T));
    cuModuleUnload(module);
    return total == exact;
}
int main() {
    CHECK(cudaFree(nullptr));
    CUcontext context;
    cuCtxGetCurrent(&context);
    const bool right = one<float>("fold<float, 4>", false, context) && one<double>("fold<double, 2>", true, context) && one<int>("fold<int, 1>", false, context);
    nvrtcProgram bad;
    nvrtcCreateProgram(&bad, "__global__ void f() { undefined(); }", "bad.cu", 0, nullptr, nullptr);
    return verdict(right && nvrtcCompileProgram(bad, 0, nullptr) == NVRTC_ERROR_COMPILATION, "nvrtc_templates");
}
