// Names that other versions of CUDA have for functions that are here: CUDA 12 has an ending where CUDA 13 has none, CUDA 11
// and 12 have what was called of threads, and releases after 13.0 have variants with further parameters.
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

using Size = std::size_t;
using Edges = const void*;
using Nodes = void* const*;

// A function under another name, whose further parameters change nothing here.
#define ALSO(NAME, KNOWN, TYPES, PARAMETERS, ARGUMENTS) \
    extern "C" int KNOWN TYPES;                         \
    STANDIN_API int NAME PARAMETERS { return KNOWN ARGUMENTS; }

ALSO(cudaMemAdvise_v2, cudaMemAdvise, (const void*, Size, int, std::uint64_t),
     (const void* address, Size bytes, int advice, std::uint64_t place), (address, bytes, advice, place))
ALSO(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync, (const void*, Size, std::uint64_t, void*, void*),
     (const void* address, Size bytes, std::uint64_t place, void* flags, void* stream),
     (address, bytes, place, flags, stream))
ALSO(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_ptsz, (const void*, Size, std::uint64_t, void*, void*),
     (const void* address, Size bytes, std::uint64_t place, void* flags, void* stream),
     (address, bytes, place, flags, stream))
ALSO(cudaGraphAddNode_v2, cudaGraphAddNode, (void**, void*, Nodes, std::uintptr_t, std::uintptr_t, void*),
     (void** node, void* graph, Nodes after, std::uintptr_t edges, std::uintptr_t count, void* how),
     (node, graph, after, edges, count, how))
ALSO(cudaGraphAddDependencies_v2, cudaGraphAddDependencies, (void*, Nodes, Nodes, Edges, Size),
     (void* graph, Nodes from, Nodes to, Edges edges, Size count), (graph, from, to, edges, count))
ALSO(cudaGraphRemoveDependencies_v2, cudaGraphRemoveDependencies, (void*, Nodes, Nodes, Edges, Size),
     (void* graph, Nodes from, Nodes to, Edges edges, Size count), (graph, from, to, edges, count))
ALSO(cudaGraphGetEdges_v2, cudaGraphGetEdges, (void*, void**, void**, void*, Size*),
     (void* graph, void** from, void** to, void* edges, Size* count), (graph, from, to, edges, count))
ALSO(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies, (void*, void**, void*, Size*),
     (void* node, void** nodes, void* edges, Size* count), (node, nodes, edges, count))
ALSO(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes, (void*, void**, void*, Size*),
     (void* node, void** nodes, void* edges, Size* count), (node, nodes, edges, count))
ALSO(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies,
     (void*, void**, std::uintptr_t, std::uintptr_t, unsigned),
     (void* stream, void** nodes, std::uintptr_t edges, std::uintptr_t count, unsigned flags),
     (stream, nodes, edges, count, flags))

ALSO(cudaThreadExit, cudaDeviceReset, (), (), ())
ALSO(cudaThreadGetLimit, cudaDeviceGetLimit, (Size*, int), (Size * value, int limit), (value, limit))
ALSO(cudaThreadSetLimit, cudaDeviceSetLimit, (int, Size), (int limit, Size value), (limit, value))
ALSO(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig, (int*), (int* value), (value))
ALSO(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig, (int), (int value), (value))

ALSO(cudaLaunchHostFunc_v2, cudaLaunchHostFunc, (void*, void (*)(void*), void*),
     (void* stream, void (*body)(void*), void* data, unsigned), (stream, body, data))
ALSO(cudaLaunchHostFunc_v2_ptsz, cudaLaunchHostFunc_ptsz, (void*, void (*)(void*), void*),
     (void* stream, void (*body)(void*), void* data, unsigned), (stream, body, data))

extern "C" int cudaMemcpyAsync(void*, const void*, Size, int, void*);
constexpr int either_direction = 4;
STANDIN_API int cudaMemcpyWithAttributesAsync(void* to, const void* from, Size bytes, const void*, void* stream) {
    return cudaMemcpyAsync(to, from, bytes, either_direction, stream);
}

// CUDA 12 has a place for the number of the copy that failed before the stream.
STANDIN_API int cudaMemcpyBatchAsync(void** to, const void** from, const Size* bytes, Size count, const void*,
                                     const Size*, Size, void* eighth, void* ninth) {
    const bool is_13 = call([&](Device& gpu) { return gpu.stream(eighth) != nullptr ? 1 : 0; }, false) == 1;
    int error = success;
    for (Size place = 0; place < count && error == success; ++place)
        error = cudaMemcpyAsync(to[place], from[place], bytes[place], either_direction, is_13 ? eighth : ninth);
    return error;
}

STANDIN_API int cudaFuncGetParamCount(const void* host, Size* count) {
    return call([&](Device& gpu) -> int {
        Function* known = kernel(host);
        if (known == nullptr || count == nullptr) return known == nullptr ? invalid_function : invalid_value;
        const int error = gpu.resolve(*known);
        *count = known->parameters.size();
        return error;
    });
}

STANDIN_API int cudaDeviceFlushGPUDirectRDMAWrites(int, int) {
    return call([](Device&) { return static_cast<int>(success); });
}
ALSO(cudaKernelSetAttributeForDevice, cudaFuncSetAttribute, (const void*, int, int),
     (void* kernel, int attribute, int value, int), (kernel, attribute, value))
