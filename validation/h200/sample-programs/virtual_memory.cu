// In the manner of CUDA's vectorAddMMAP, matrixMulDrv and ptxjit: the driver interface beside the runtime.
#include "../programs/check.h"
#include <cuda.h>
#define DRIVE(call) do { CUresult r_ = (call); if (r_) { const char* n_; cuGetErrorName(r_, &n_); printf("%s:%d %s\n", __FILE__, __LINE__, n_); exit(2); } } while (0)
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    const int n = 1 << 18;
    DRIVE(cuInit(0));
    CUdevice device; CUcontext context;
    int devices = 0, major = 0, supported = 0;
    DRIVE(cuDeviceGetCount(&devices)); DRIVE(cuDeviceGet(&device, 0));
    char name[128];
    DRIVE(cuDeviceGetName(name, sizeof name, device));
    DRIVE(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DRIVE(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    DRIVE(cuDevicePrimaryCtxRetain(&context, device)); DRIVE(cuCtxSetCurrent(context));
    printf("%d devices, virtual memory %d\n", devices, supported);
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED, prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE, prop.location.id = device;
    size_t granularity = 0;
    DRIVE(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const size_t bytes = (n * 4 + granularity - 1) / granularity * granularity;
    CUdeviceptr p[3];
    CUmemGenericAllocationHandle handles[3];
    for (int i = 0; i < 3; ++i) {
        DRIVE(cuMemAddressReserve(&p[i], 2 * bytes, 0, 0, 0));
        DRIVE(cuMemCreate(&handles[i], bytes, &prop, 0));
        DRIVE(cuMemMap(p[i], bytes, 0, handles[i], 0));
        CUmemAccessDesc access = {};
        access.location = prop.location, access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        DRIVE(cuMemSetAccess(p[i], bytes, &access, 1));
    }
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i) a[i] = i, b[i] = 0.5f * i;
    DRIVE(cuMemcpyHtoD(p[0], a.data(), n * 4)); DRIVE(cuMemcpyHtoD(p[1], b.data(), n * 4));
    add<<<n / 256, 256>>>((const float*)p[0], (const float*)p[1], (float*)p[2], n);
    CHECK(cudaGetLastError());
    DRIVE(cuCtxSynchronize());
    DRIVE(cuMemcpyDtoH(c.data(), p[2], n * 4));
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && c[i] == 1.5f * i;
    for (int i = 0; i < 3; ++i) {
        DRIVE(cuMemUnmap(p[i], bytes));
        DRIVE(cuMemRelease(handles[i]));
        DRIVE(cuMemAddressFree(p[i], 2 * bytes));
    }
    printf("mapped %d\n", right);
    const char* ptx = ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry twice(.param .u64 p) {\n.reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .f32 %f<3>;\n"
        "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1;\n"
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
        "mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f1, %f1; st.global.f32 [%rd3], %f2; ret;\n}\n";
    CUmodule module; CUfunction function; CUdeviceptr memory;
    char log[1024] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {log, (void*)sizeof log, (void*)3};
    DRIVE(cuModuleLoadDataEx(&module, ptx, 3, options, values));
    DRIVE(cuModuleGetFunction(&function, module, "twice"));
    int threads = 0;
    DRIVE(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    DRIVE(cuMemAlloc(&memory, n * 4)); DRIVE(cuMemcpyHtoD(memory, a.data(), n * 4));
    void* arguments[] = {&memory};
    DRIVE(cuLaunchKernel(function, n / 256, 1, 1, 256, 1, 1, 0, 0, arguments, nullptr));
    size_t size = sizeof memory;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &memory, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    DRIVE(cuLaunchKernel(function, n / 256, 1, 1, 256, 1, 1, 0, 0, nullptr, extra));
    DRIVE(cuMemcpyDtoH(c.data(), memory, n * 4));
    for (int i = 0; i < n; ++i) right = right && c[i] == 4.0f * i;
    DRIVE(cuMemFree(memory)); DRIVE(cuModuleUnload(module)); DRIVE(cuDevicePrimaryCtxRelease(device));
    return verdict(right && threads == 1024 && major >= 7, "virtual_memory");
}
