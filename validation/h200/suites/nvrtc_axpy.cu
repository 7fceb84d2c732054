// A kernel compiled while the program runs (NVRTC), loaded and launched by the driver interface.
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include "../programs/check.h"
#define DRIVER(call)                                  \
    do {                                              \
        CUresult error_ = (call);                     \
        if (error_ != CUDA_SUCCESS) {                 \
            printf("%d: error %d\n", __LINE__, error_); \
            exit(2);                                  \
        }                                             \
    } while (0)
const char* source = R"(
template <class T, int times>
__global__ void axpy(T a, const T* x, T* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < times; ++k) y[i] += a * x[i];
})";
int main() {
    nvrtcProgram program;
    if (nvrtcCreateProgram(&program, source, "axpy.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return 2;
    nvrtcAddNameExpression(program, "axpy<double, 3>");
    CUdevice device;
    CUcontext context;
    int major = 0, minor = 0;
    DRIVER(cuInit(0));
    DRIVER(cuDeviceGet(&device, 0));
    DRIVER(cuDevicePrimaryCtxRetain(&context, device));
    DRIVER(cuCtxSetCurrent(context));
    DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    const std::string arch = "--gpu-architecture=sm_" + std::to_string(major * 10 + minor);
    const char* options[] = {arch.c_str(), "--fmad=false"};
    if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) return 3;
    size_t size = 0;
    nvrtcGetCUBINSize(program, &size);
    std::string code(size, 0);
    nvrtcGetCUBIN(program, code.data());
    const char* name = nullptr;
    nvrtcGetLoweredName(program, "axpy<double, 3>", &name);
    CUmodule module;
    CUfunction kernel;
    DRIVER(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr));
    DRIVER(cuModuleGetFunction(&kernel, module, name));
    int n = 100000;
    double a = 0.5;
    std::vector<double> x(n), y(n, 1.0);
    for (int i = 0; i < n; ++i) x[i] = i;
    CUdeviceptr dx, dy;
    DRIVER(cuMemAlloc(&dx, n * 8));
    DRIVER(cuMemAlloc(&dy, n * 8));
    DRIVER(cuMemcpyHtoD(dx, x.data(), n * 8));
    DRIVER(cuMemcpyHtoD(dy, y.data(), n * 8));
    void* arguments[] = {&a, &dx, &dy, &n};
    DRIVER(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    DRIVER(cuCtxSynchronize());
    DRIVER(cuMemcpyDtoH(y.data(), dy, n * 8));
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && y[i] == 1 + 1.5 * i;
    DRIVER(cuModuleUnload(module));
    nvrtcDestroyProgram(&program);
    return verdict(right, "nvrtc_axpy");
}
