// What the recorder uses of CUPTI and of CUDA's driver, declared here so that it is built without CUDA. Names in comments
// are those of cupti_callbacks.h, cupti_activity.h and cupti_driver_cbid.h; layouts and numbers are part of their ABI.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foretell::recorder {

using Address = std::uint64_t;  // CUdeviceptr

struct CallbackData {  // CUpti_CallbackData
    int site;          // 0: enter, 1: exit
    const char* function;
    const void* parameters;
    const int* result;
    const char* symbol;
    void* context;
    std::uint32_t context_id;
    std::uint64_t* correlation_data;
    std::uint32_t correlation;
};

struct ModuleData {  // CUpti_ModuleResourceData
    std::uint32_t id;
    std::size_t bytes;
    const char* cubin;
};

struct ResourceData {  // CUpti_ResourceData
    void* context;
    void* handle;
    const ModuleData* module;
};

constexpr int driver_domain = 1, resource_domain = 3;  // CUPTI_CB_DOMAIN_*
constexpr std::uint32_t module_loaded = 6;             // CUPTI_CBID_RESOURCE_MODULE_LOADED

// CUPTI_DRIVER_TRACE_CBID_*; a second number is of the variant for the stream of a thread (_ptsz).
enum Call : std::uint32_t {
    module_load = 18,
    module_load_data = 19,
    module_load_data_ex = 20,
    module_load_fatbin = 21,
    free_host = 38,
    host_alloc = 39,
    alloc = 243,
    alloc_pitch = 244,
    free_device = 245,
    host_alloc_2 = 271,
    alloc_host = 294,
    launch = 307,
    alloc_managed = 371,
    launch_ptsz = 442,
    launch_cooperative = 477,
    launch_cooperative_ptsz = 478,
    graph_launch = 514,
    graph_launch_ptsz = 515,
    map = 551,
    unmap = 552,
    alloc_async = 598,
    alloc_async_ptsz = 599,
    free_async = 600,
    free_async_ptsz = 601,
    alloc_pool = 611,
    alloc_pool_ptsz = 612,
    launch_ex = 652,
    launch_ex_ptsz = 653,
};

// Parameters of the calls (generated_cuda_meta.h).
struct LaunchParameters {  // cuLaunchKernel; cuLaunchCooperativeKernel has no `packed`
    void* function;
    unsigned grid[3], block[3], shared;
    void* stream;
    void** single;
    void** packed;
};

struct LaunchAttribute {  // CUlaunchAttribute
    int id, padding;
    union {
        unsigned sizes[3];
        int number;
        char bytes[64];
    };
};

struct LaunchConfiguration {  // CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void* stream;
    const LaunchAttribute* attributes;
    unsigned count;
};

struct LaunchExParameters {  // cuLaunchKernelEx
    const LaunchConfiguration* how;
    void* function;
    void** single;
    void** packed;
};

constexpr int cooperative_attribute = 2, cluster_attribute = 4;

struct AllocParameters {  // cuMemAlloc and the others that begin with the result and its size
    Address* result;
    std::size_t bytes;
};

struct PitchParameters {  // cuMemAllocPitch
    Address* result;
    std::size_t* pitch;
    std::size_t width, height;
};

struct FreeParameters {  // cuMemFree, cuMemFreeHost, cuMemFreeAsync, cuMemMap, cuMemUnmap
    Address address;
    std::size_t bytes;  // of cuMemMap and cuMemUnmap only
};

struct ModuleLoadParameters {  // cuModuleLoad and its variants
    void** result;
};

// The beginning of an activity of a kernel (CUpti_ActivityKernel4 to 10), in nanoseconds of the device.
struct KernelActivity {
    std::uint32_t kind;
    char unused[12];
    std::uint64_t start, end;
    char more[60];
    std::uint32_t correlation;
};
static_assert(offsetof(KernelActivity, start) == 16 && offsetof(KernelActivity, correlation) == 92);

constexpr std::uint32_t concurrent_kernel = 10;  // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL

}  // namespace foretell::recorder
