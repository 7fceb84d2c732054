// The driver interface with code that is made at run time: PTX linked from two texts, options with logs, globals, dynamic shared memory,
// arguments in a buffer, a module from a file and one with an error.
//     nvcc -std=c++17 -arch=sm_90 -o driver_jit driver_jit.cu -lcuda
#include <cuda.h>

#include <cstring>
#include <fstream>

#include "../user-programs/digest.h"

#define DO(call)                                                      \
    do {                                                              \
        CUresult result_ = (call);                                    \
        if (result_ != CUDA_SUCCESS) {                                \
            const char* name_ = "?";                                  \
            cuGetErrorName(result_, &name_);                          \
            printf("%s:%d %s %s\n", __FILE__, __LINE__, #call, name_); \
            exit(2);                                                  \
        }                                                             \
    } while (0)

static const char* scale_ptx = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 4 .f32 factor = 0f40000000;
.visible .entry scale(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<5>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %d2, %d1;
    mul.wide.s32 %d3, %r5, 4;
    add.s64 %d4, %d2, %d3;
    ld.global.f32 %f1, [%d4];
    ld.global.f32 %f2, [factor];
    mul.f32 %f3, %f1, %f2;
    st.global.f32 [%d4], %f3;
done:
    ret;
}
)";
static const char* reverse_ptx = R"(
.version 7.8
.target sm_70
.address_size 64
.extern .shared .align 4 .b8 tile[];
.visible .entry reverse(.param .u64 data)
{
    .reg .b32 %r<12>; .reg .f32 %f<3>; .reg .b64 %d<5>;
    ld.param.u64 %d1, [data];
    cvta.to.global.u64 %d2, %d1;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.s32 %r4, %r3, %r2, %r1;
    mul.wide.s32 %d3, %r4, 4;
    add.s64 %d4, %d2, %d3;
    ld.global.f32 %f1, [%d4];
    mov.u32 %r5, tile;
    shl.b32 %r6, %r1, 2;
    add.s32 %r7, %r5, %r6;
    st.shared.f32 [%r7], %f1;
    bar.sync 0;
    sub.s32 %r8, %r2, %r1;
    sub.s32 %r9, %r8, 1;
    shl.b32 %r10, %r9, 2;
    add.s32 %r11, %r5, %r10;
    ld.shared.f32 %f2, [%r11];
    st.global.f32 [%d4], %f2;
    ret;
}
)";
int main() {
    DO(cuInit(0));
    CUdevice gpu;
    CUcontext context;
    DO(cuDeviceGet(&gpu, 0));
    DO(cuDevicePrimaryCtxRetain(&context, gpu));
    DO(cuCtxSetCurrent(context));
    // linked
    char log[4096] = "", errors[4096] = "";
    float took = 0;
    CUjit_option options[] = {CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    void* values[] = {&took, log, (void*)sizeof log, errors, (void*)sizeof errors, (void*)1};
    CUlinkState link;
    DO(cuLinkCreate(6, options, values, &link));
    DO(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)scale_ptx, strlen(scale_ptx) + 1, "scale.ptx", 0, nullptr, nullptr));
    DO(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)reverse_ptx, strlen(reverse_ptx) + 1, "reverse.ptx", 0, nullptr, nullptr));
    void* image;
    size_t bytes;
    DO(cuLinkComplete(link, &image, &bytes));
    CUmodule module;
    DO(cuModuleLoadData(&module, image));
    DO(cuLinkDestroy(link));
    CUfunction scale, reverse;
    DO(cuModuleGetFunction(&scale, module, "scale"));
    DO(cuModuleGetFunction(&reverse, module, "reverse"));
    const int n = 1 << 16;
    CUdeviceptr data, factor;
    size_t factor_bytes;
    DO(cuMemAlloc(&data, n * 4));
    DO(cuModuleGetGlobal(&factor, &factor_bytes, module, "factor"));
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i % 1021;
    DO(cuMemcpyHtoD(data, in.data(), n * 4));
    const float three = 3;
    DO(cuMemcpyHtoD(factor, &three, 4));
    int size = n;
    void* arguments[] = {&data, &size};
    DO(cuLaunchKernel(scale, n / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    char buffer[16];
    memcpy(buffer, &data, 8);
    size_t used = 8;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &used, CU_LAUNCH_PARAM_END};
    DO(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    DO(cuLaunchKernel(reverse, n / 512, 1, 1, 512, 1, 1, 512 * 4, nullptr, nullptr, extra));
    DO(cuMemcpyDtoH(out.data(), data, n * 4));
    bool right = factor_bytes == 4;
    for (int i = 0; i < n; ++i) right = right && out[i] == 3 * in[i / 512 * 512 + 511 - i % 512];
    // a file
    const std::string path = std::string(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp") + "/driver_jit_scale.ptx";
    std::ofstream(path) << scale_ptx;
    CUmodule from_file;
    DO(cuModuleLoad(&from_file, path.c_str()));
    DO(cuModuleGetFunction(&scale, from_file, "scale"));
    int registers = 0;
    DO(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
    DO(cuLaunchKernel(scale, n / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    DO(cuMemcpyDtoH(in.data(), data, n * 4));
    for (int i = 0; i < n; ++i) right = right && in[i] == 2 * out[i];
    remove(path.c_str());
    // an error
    CUmodule bad;
    const CUresult refused = cuModuleLoadDataEx(&bad, ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry bad() { nonsense; }", 0, nullptr, nullptr);
    CUfunction none;
    const CUresult missing = cuModuleGetFunction(&none, module, "nothing");
    printf("registers %d, refused %d, missing %d\n", registers, refused, missing);
    right = right && refused == CUDA_ERROR_INVALID_PTX && missing == CUDA_ERROR_NOT_FOUND && registers > 0;
    DO(cuModuleUnload(from_file));
    DO(cuModuleUnload(module));
    DO(cuMemFree(data));
    DO(cuDevicePrimaryCtxRelease(gpu));
    digest("out", out.data(), n * 4);
    return verdict(right, "driver_jit");
}
