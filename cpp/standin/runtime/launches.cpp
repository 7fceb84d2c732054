// Launches and kernels of the runtime.
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

struct Attribute {
    int id;
    int padding;
    union {
        Dim3 cluster;
        int number;
        char bytes[64];
    };
};

struct Configuration {
    Dim3 grid, block;
    std::size_t shared_bytes;
    void* stream;
    Attribute* attributes;
    unsigned count;
};

constexpr int cooperative_attribute = 2, cluster_attribute = 4;
constexpr int dynamic_shared_limit = 8, carve_out = 9, last_attribute = 15;

struct FunctionAttributes {
    std::size_t shared_bytes, constant_bytes, local_bytes;
    int most_threads, registers, ptx_version, binary_version, cache_mode, dynamic_limit, carve_out, cluster_needed,
        cluster_x, cluster_y, cluster_z, cluster_policy, large_clusters, reserved[16];
};

int launch(const void* host, Launch how, void** arguments, void* stream) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        if (const int error = gpu.resolve(*known); error != success) return error;
        return gpu.launch(*known, how, gathered(*known, arguments), gpu.stream(stream));
    });
}

}  // namespace

STANDIN_API int cudaLaunchKernel(const void* host, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                                 void* stream) {
    return launch(host, {grid, block, {}, shared_bytes, false}, arguments, stream);
}

STANDIN_API int __cudaLaunchKernel(void* handle, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                                   void* stream) {
    return launch(handle, {grid, block, {}, shared_bytes, false}, arguments, stream);
}

STANDIN_API int cudaLaunchCooperativeKernel(const void* host, Dim3 grid, Dim3 block, void** arguments,
                                            std::size_t shared_bytes, void* stream) {
    return launch(host, {grid, block, {}, shared_bytes, true}, arguments, stream);
}

STANDIN_API int cudaLaunchKernelExC(const Configuration* how, const void* host, void** arguments) {
    if (how == nullptr) return invalid_value;
    Launch wanted{how->grid, how->block, {}, how->shared_bytes, false};
    for (unsigned place = 0; place < how->count; ++place) {
        const Attribute& item = how->attributes[place];
        if (item.id == cluster_attribute) wanted.cluster = item.cluster;
        if (item.id == cooperative_attribute) wanted.cooperative = item.number != 0;
    }
    return launch(host, wanted, arguments, how->stream);
}

STANDIN_API int cudaLaunchKernelExC_ptsz(const Configuration* how, const void* host, void** arguments) {
    if (how == nullptr) return invalid_value;
    Configuration own = *how;
    if (own.stream == nullptr) own.stream = reinterpret_cast<void*>(2);  // see per_thread.cpp
    return cudaLaunchKernelExC(&own, host, arguments);
}

STANDIN_API int cudaLaunchHostFunc(void* stream, void (*body)(void*), void* data) {
    return call([&](Device& gpu) { return gpu.call_host(gpu.stream(stream), [=] { body(data); }); });
}

STANDIN_API int cudaStreamAddCallback(void* stream, void (*body)(void*, int, void*), void* data, unsigned) {
    return call([&](Device& gpu) { return gpu.call_host(gpu.stream(stream), [=] { body(stream, success, data); }); });
}

STANDIN_API int cudaFuncGetAttributes(FunctionAttributes* result, const void* host) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        if (const int error = gpu.resolve(*known); error != success) return error;
        *result = {};
        result->shared_bytes = static_cast<std::size_t>(known->shared_bytes);
        result->constant_bytes = static_cast<std::size_t>(known->constant_bytes);
        result->local_bytes = static_cast<std::size_t>(known->local_bytes);
        result->most_threads = known->most_threads;
        result->registers = known->registers;
        result->ptx_version = result->binary_version = known->arch;
        result->dynamic_limit = known->dynamic_limit;
        result->carve_out = -1;
        return success;
    });
}

STANDIN_API int cudaFuncSetAttribute(const void* host, int attribute, int value) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        if (const int error = gpu.resolve(*known); error != success) return error;
        if (attribute == carve_out) return success;  // a hint; the model chooses the carve-out as the driver does
        if (attribute != dynamic_shared_limit) return attribute > last_attribute ? invalid_value : success;
        if (value < 0 || value + known->shared_bytes > gpu.attributes[97]) return invalid_value;
        gpu.limit_dynamic(*known, value);
        return success;
    });
}

STANDIN_API int cudaFuncSetCacheConfig(const void*, int) {
    return call([](Device&) { return static_cast<int>(success); });
}
STANDIN_API int cudaFuncSetSharedMemConfig(const void*, int) {
    return call([](Device&) { return static_cast<int>(success); });
}

STANDIN_API int cudaFuncGetName(const char** result, const void* host) {
    return call([&](Device&) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        *result = known->name.c_str();
        return success;
    });
}

STANDIN_API int cudaGetFuncBySymbol(void** result, const void* host) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        *result = known;
        return gpu.resolve(*known);
    });
}

STANDIN_API int cudaGetKernel(void** result, const void* host) { return cudaGetFuncBySymbol(result, host); }

STANDIN_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int threads,
                                                                       std::size_t shared_bytes, unsigned) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        return gpu.occupancy(*known, threads, shared_bytes, *blocks);
    });
}

STANDIN_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                              std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared_bytes, 0);
}

STANDIN_API int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* host, int blocks, int) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        if (blocks < 1) return invalid_value;
        if (const int error = gpu.resolve(*known); error != success) return error;
        const std::int64_t reserved = gpu.attributes[111] + known->shared_bytes;
        const std::int64_t each = gpu.attributes[81] / blocks - reserved;
        const std::int64_t most = std::max<std::int64_t>(known->dynamic_limit, 0);
        *bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(each, most)));
        return success;
    });
}

// As if all multiprocessors could hold blocks of one cluster: how they are grouped is not known of every GPU.
STANDIN_API int cudaOccupancyMaxActiveClusters(int* clusters, const void* host, const Configuration* how) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr || how == nullptr) return invalid_function;
        unsigned size = 1;
        for (unsigned place = 0; place < how->count; ++place)
            if (const Attribute& item = how->attributes[place]; item.id == cluster_attribute)
                size = std::max(1U, item.cluster.x * item.cluster.y * item.cluster.z);
        int blocks = 0;
        const auto threads = static_cast<int>(how->block.x * how->block.y * how->block.z);
        const int error = gpu.occupancy(*known, threads, how->shared_bytes, blocks);
        constexpr int processors = 16;
        *clusters = blocks * static_cast<int>(gpu.attributes[processors]) / static_cast<int>(size);
        return error;
    });
}
STANDIN_API int cudaOccupancyMaxPotentialClusterSize(int* size, const void*, const Configuration*) {
    return call([&](Device&) {
        *size = 8;  // that every GPU with clusters has (CUDA programming guide)
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaFuncGetParamInfo(const void* host, std::size_t index, std::size_t* offset, std::size_t* size) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr) return invalid_function;
        if (const int error = gpu.resolve(*known); error != success) return error;
        if (index >= known->parameters.size()) return invalid_value;
        if (offset != nullptr) *offset = known->parameters[index].first;
        if (size != nullptr) *size = known->parameters[index].second;
        return success;
    });
}

// ------------------------------------------------------------------------------------------ libraries

#define LIBRARY(NAME, PARAMETERS, ARGUMENTS) \
    extern "C" int cu##NAME PARAMETERS;      \
    STANDIN_API int cuda##NAME PARAMETERS { return cu##NAME ARGUMENTS; }

LIBRARY(LibraryLoadData,
        (void** result, const void* image, int* options, void** values, unsigned count, int* more, void** others,
         unsigned also),
        (result, image, options, values, count, more, others, also))
LIBRARY(LibraryLoadFromFile,
        (void** result, const char* path, int* options, void** values, unsigned count, int* more, void** others,
         unsigned also),
        (result, path, options, values, count, more, others, also))
LIBRARY(LibraryUnload, (void* library), (library))
LIBRARY(LibraryGetKernel, (void** result, void* library, const char* name), (result, library, name))
LIBRARY(LibraryGetKernelCount, (unsigned* result, void* library), (result, library))
LIBRARY(LibraryEnumerateKernels, (void** result, unsigned most, void* library), (result, most, library))
LIBRARY(LibraryGetGlobal, (unsigned long long* address, std::size_t* bytes, void* library, const char* name),
        (address, bytes, library, name))
