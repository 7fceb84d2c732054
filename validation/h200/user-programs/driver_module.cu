// The driver interface alone: PTX that is compiled at run time, variables of a module, rows, textures, launches with
// attributes, events, and words of memory that streams write and wait for.
#include <cuda.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "digest.h"

#define DRIVER(call)                                                              \
    do {                                                                          \
        const CUresult error_ = (call);                                           \
        if (error_ != CUDA_SUCCESS) {                                             \
            const char* name_ = "?";                                              \
            cuGetErrorName(error_, &name_);                                       \
            printf("%s:%d %s: %s\n", __FILE__, __LINE__, #call, name_);           \
            exit(2);                                                              \
        }                                                                         \
    } while (0)

static const char* source = R"(
.version 7.8
.target sm_70
.address_size 64
.global .align 4 .u32 launches;
.const .align 4 .f32 factor = 0f40000000;
.visible .entry scale(.param .u64 data, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<7>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    ld.const.f32 %f2, [factor];
    mul.f32 %f3, %f1, %f2;
    st.global.f32 [%rd4], %f3;
    setp.ne.s32 %p1, %r5, 0;
    @%p1 bra DONE;
    mov.u64 %rd5, launches;
    atom.global.add.u32 %r6, [%rd5], 1;
DONE:
    ret;
}
.visible .entry sample(.param .u64 texture, .param .u64 result, .param .u32 width)
{
    .reg .f32 %f<8>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [result];
    ld.param.u32 %r1, [width];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %tid.x;
    cvt.rn.f32.u32 %f1, %r3;
    cvt.rn.f32.u32 %f2, %r2;
    add.f32 %f1, %f1, 0f3F800000;
    add.f32 %f2, %f2, 0f3F000000;
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
    mad.lo.s32 %r4, %r2, %r1, %r3;
    mul.wide.u32 %rd3, %r4, 4;
    cvta.to.global.u64 %rd4, %rd2;
    add.s64 %rd5, %rd4, %rd3;
    st.global.f32 [%rd5], %f3;
    ret;
}
)";

int main() {
    DRIVER(cuInit(0));
    CUdevice device;
    CUcontext context;
    DRIVER(cuDeviceGet(&device, 0));
    char name[100];
    DRIVER(cuDeviceGetName(name, sizeof name, device));
    int major = 0;
    DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DRIVER(cuDevicePrimaryCtxRetain(&context, device));
    DRIVER(cuCtxSetCurrent(context));
    char log[2000] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log), reinterpret_cast<void*>(4)};
    CUmodule module;
    DRIVER(cuModuleLoadDataEx(&module, source, 3, options, values));
    CUfunction scale, sample, none;
    DRIVER(cuModuleGetFunction(&scale, module, "scale"));
    DRIVER(cuModuleGetFunction(&sample, module, "sample"));
    bool right = major >= 7 && cuModuleGetFunction(&none, module, "nothing") == CUDA_ERROR_NOT_FOUND;
    CUdeviceptr launches, factor, data;
    size_t bytes = 0;
    DRIVER(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
    right &= bytes == 4;
    DRIVER(cuModuleGetGlobal(&factor, nullptr, module, "factor"));
    const int n = 100000;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = i;
    DRIVER(cuMemAlloc(&data, n * sizeof(float)));
    DRIVER(cuMemcpyHtoD(data, x.data(), n * sizeof(float)));
    int least = 0, block = 0, count = n;
    DRIVER(cuOccupancyMaxPotentialBlockSize(&least, &block, scale, nullptr, 0, 0));
    CUstream stream;
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    void* arguments[] = {&data, &count};
    CUlaunchConfig how = {};
    how.gridDimX = (n + block - 1) / block;
    how.gridDimY = how.gridDimZ = how.blockDimY = how.blockDimZ = 1;
    how.blockDimX = block;
    how.hStream = stream;
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    attribute.value.priority = 0;
    how.attrs = &attribute;
    how.numAttrs = 1;
    DRIVER(cuLaunchKernelEx(&how, scale, arguments, nullptr));
    const float three = 3;
    DRIVER(cuMemcpyHtoDAsync(factor, &three, sizeof three, stream));
    struct {
        CUdeviceptr data;
        int count;
    } packed = {data, n};
    size_t size = 12;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    DRIVER(cuLaunchKernel(scale, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, nullptr, extra));
    CUevent done;
    DRIVER(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    DRIVER(cuEventRecord(done, stream));
    DRIVER(cuEventSynchronize(done));
    DRIVER(cuMemcpyDtoH(x.data(), data, n * sizeof(float)));
    for (int i = 0; i < n; ++i) right &= x[i] == 6.0f * i;
    unsigned calls = 0;
    DRIVER(cuMemcpyDtoH(&calls, launches, sizeof calls));
    right &= calls == 2;

    const int width = 32, height = 8;
    CUDA_ARRAY_DESCRIPTOR shape = {width, height, CU_AD_FORMAT_FLOAT, 1};
    CUarray array;
    DRIVER(cuArrayCreate(&array, &shape));
    std::vector<float> image(width * height), back(width * height);
    for (int i = 0; i < width * height; ++i) image[i] = i * i % 97;
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = image.data();
    copy.srcPitch = copy.WidthInBytes = width * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.Height = height;
    DRIVER(cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC filter = {};
    filter.filterMode = CU_TR_FILTER_MODE_LINEAR;
    filter.addressMode[0] = filter.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject texture;
    DRIVER(cuTexObjectCreate(&texture, &resource, &filter, nullptr));
    CUdeviceptr sampled;
    DRIVER(cuMemAlloc(&sampled, back.size() * sizeof(float)));
    unsigned columns = width;
    void* both[] = {&texture, &sampled, &columns};
    DRIVER(cuLaunchKernel(sample, height, 1, 1, width, 1, 1, 0, nullptr, both, nullptr));
    DRIVER(cuCtxSynchronize());
    DRIVER(cuMemcpyDtoH(back.data(), sampled, back.size() * sizeof(float)));
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width; ++i) {
            const float next = image[y * width + std::min(i + 1, width - 1)];
            right &= back[y * width + i] == 0.5f * (image[y * width + i] + next);
        }

    CUdeviceptr flag;
    DRIVER(cuMemAlloc(&flag, 4));
    DRIVER(cuMemsetD32(flag, 0, 1));
    DRIVER(cuCtxSynchronize());  // the streams below do not wait for the default stream
    CUstream other;
    DRIVER(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    DRIVER(cuStreamWriteValue32(stream, flag, 7, 0));
    DRIVER(cuStreamWaitValue32(other, flag, 7, CU_STREAM_WAIT_VALUE_GEQ));
    DRIVER(cuStreamSynchronize(other));
    unsigned told = 0;
    DRIVER(cuMemcpyDtoH(&told, flag, 4));
    right &= told == 7;

    CUmemorytype type;
    int is_managed = 1;
    void* answers[] = {&type, &is_managed};
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    DRIVER(cuPointerGetAttributes(2, wanted, answers, data));
    right &= type == CU_MEMORYTYPE_DEVICE && is_managed == 0;
    DRIVER(cuTexObjectDestroy(texture));
    DRIVER(cuArrayDestroy(array));
    DRIVER(cuModuleUnload(module));
    DRIVER(cuDevicePrimaryCtxRelease(device));
    digest("scaled", x.data(), n * sizeof(float));
    digest("sampled", back.data(), back.size() * sizeof(float));
    return verdict(right, "driver_module");
}
