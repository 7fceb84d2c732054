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

constexpr int driver_domain = 1, runtime_domain = 2, resource_domain = 3;  // CUPTI_CB_DOMAIN_*
constexpr std::uint32_t module_loaded = 6;                                 // CUPTI_CBID_RESOURCE_MODULE_LOADED

// CUPTI_DRIVER_TRACE_CBID_*; `_ptsz` and `_ptds` are the variants for the stream of a thread.
enum Call : std::uint32_t {
    context_synchronise = 17,
    module_load = 18,
    module_load_data = 19,
    module_load_data_ex = 20,
    module_load_fatbin = 21,
    free_host = 38,
    host_alloc = 39,
    event_record = 119,
    event_query = 120,
    event_synchronise = 121,
    stream_create = 124,
    stream_query = 125,
    stream_synchronise = 126,
    set_8_async = 216,
    set_16_async = 218,
    set_32_async = 220,
    set_rows_8_async = 222,
    set_rows_16_async = 224,
    set_rows_32_async = 226,
    alloc = 243,
    alloc_pitch = 244,
    free_device = 245,
    set_8 = 249,
    set_16 = 250,
    set_32 = 251,
    set_rows_8 = 252,
    set_rows_16 = 253,
    set_rows_32 = 254,
    host_alloc_2 = 271,
    copy_to_device = 276,
    copy_to_device_async = 277,
    copy_to_host = 278,
    copy_to_host_async = 279,
    copy_within = 280,
    copy_within_async = 281,
    copy_2d = 287,
    copy_2d_unaligned = 288,
    copy_2d_async = 289,
    copy_3d = 290,
    copy_3d_async = 291,
    alloc_host = 294,
    stream_wait = 295,
    copy = 305,
    copy_async = 306,
    launch = 307,
    stream_destroy = 326,
    stream_create_priority = 367,
    alloc_managed = 371,
    copy_to_device_ptds = 397,
    copy_to_host_ptds = 398,
    copy_within_ptds = 399,
    copy_2d_ptds = 405,
    copy_2d_unaligned_ptds = 406,
    copy_3d_ptds = 407,
    copy_ptds = 408,
    set_8_ptds = 411,
    set_16_ptds = 412,
    set_32_ptds = 413,
    set_rows_8_ptds = 414,
    set_rows_16_ptds = 415,
    set_rows_32_ptds = 416,
    copy_async_ptsz = 418,
    copy_to_device_async_ptsz = 421,
    copy_to_host_async_ptsz = 422,
    copy_within_async_ptsz = 423,
    copy_2d_async_ptsz = 424,
    copy_3d_async_ptsz = 425,
    set_8_async_ptsz = 428,
    set_16_async_ptsz = 429,
    set_32_async_ptsz = 430,
    set_rows_8_async_ptsz = 431,
    set_rows_16_async_ptsz = 432,
    set_rows_32_async_ptsz = 433,
    stream_wait_ptsz = 436,
    stream_query_ptsz = 439,
    stream_synchronise_ptsz = 440,
    event_record_ptsz = 441,
    launch_ptsz = 442,
    launch_cooperative = 477,
    launch_cooperative_ptsz = 478,
    begin_capture = 495,
    begin_capture_ptsz = 496,
    end_capture = 497,
    end_capture_ptsz = 498,
    graph_instantiate = 513,
    graph_launch = 514,
    graph_launch_ptsz = 515,
    begin_capture_2 = 539,
    begin_capture_2_ptsz = 540,
    map = 551,
    unmap = 552,
    graph_instantiate_2 = 578,
    event_record_flags = 587,
    event_record_flags_ptsz = 588,
    alloc_async = 598,
    alloc_async_ptsz = 599,
    free_async = 600,
    free_async_ptsz = 601,
    alloc_pool = 611,
    alloc_pool_ptsz = 612,
    graph_instantiate_flags = 643,
    launch_ex = 652,
    launch_ex_ptsz = 653,
    graph_instantiate_params = 656,
    graph_instantiate_params_ptsz = 657,
    context_synchronise_2 = 800,
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

struct CopyParameters {  // cuMemcpy and its variants by direction; those that are synchronous have no `stream`
    Address to, from;
    std::size_t bytes;
    void* stream;
};

struct CopyEnd {  // one end of CUDA_MEMCPY2D
    std::size_t x, y;
    int type;  // CUmemorytype: 1 host, 2 device, 3 array, 4 by address
    Address host, device;
    void* array;
    std::size_t pitch;
};

struct RowsCopy {  // CUDA_MEMCPY2D
    CopyEnd from, to;
    std::size_t width, height;
};

struct BoxEnd {  // one end of CUDA_MEMCPY3D
    std::size_t x, y, z, level;
    int type;
    Address host, device;
    void *array, *reserved;
    std::size_t pitch, height;
};

struct BoxCopy {  // CUDA_MEMCPY3D
    BoxEnd from, to;
    std::size_t width, height, depth;
};

template <class C>
struct ShapedCopyParameters {  // cuMemcpy2D, cuMemcpy3D; only asynchronous ones have a `stream`
    const C* copy;
    void* stream;
};

struct SetParameters {  // cuMemsetD8 and others; only asynchronous ones have a `stream`
    Address to;
    unsigned value;
    std::size_t count;
    void* stream;
};

struct SetRowsParameters {  // cuMemsetD2D8 and others
    Address to;
    std::size_t pitch;
    unsigned value;
    std::size_t width, height;
    void* stream;
};

struct StreamCreateParameters {  // cuStreamCreate, cuStreamCreateWithPriority
    void** result;
    unsigned flags;
};

struct StreamParameters {  // cuStreamSynchronize, cuStreamQuery, cuStreamDestroy
    void* stream;
};

struct EventParameters {  // cuEventRecord; cuEventSynchronize and cuEventQuery have no `stream`
    void *event, *stream;
};

struct WaitParameters {  // cuStreamWaitEvent
    void *stream, *event;
};

struct GraphLaunchParameters {  // cuGraphLaunch
    void *executable, *stream;
};

struct GraphInstantiateParameters {  // cuGraphInstantiate and its variants
    void** result;
    void* graph;
};

struct KernelNode {  // CUDA_KERNEL_NODE_PARAMS of version 2
    void* function;
    unsigned grid[3], block[3], shared;
    void **single, **packed;
    void *kernel, *context;
};

struct SetNode {  // CUDA_MEMSET_NODE_PARAMS
    Address to;
    std::size_t pitch;
    unsigned value, element;
    std::size_t width, height;
};

enum NodeType { kernel_node = 0, copy_node = 1, set_node = 2, child_node = 4 };  // CU_GRAPH_NODE_TYPE_*

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
