// Further functions of the driver interface that are those of the runtime, with parameters of nearly the same layout.
#include <array>
#include <cstring>

#include "standin/driver/same.hpp"
#include "standin/driver/told.hpp"

using namespace foretell::standin;

using Size = std::size_t;

namespace {

struct Shared {
    std::array<char, 64> bytes;
};

// How a kernel is launched. The driver has four bytes for the shared memory, the runtime eight.
struct Configuration {
    std::array<unsigned, 7> shape_and_shared;
    unsigned between;
    std::array<std::uint64_t, 3> others;
    explicit Configuration(const Configuration* how) {
        memcpy(static_cast<void*>(this), how, sizeof *this);
        between = 0;
    }
};

}  // namespace

STANDIN_API int cuProfilerStart() { return as_told(); }
STANDIN_API int cuProfilerStop() { return as_told(); }
STANDIN_API int cuFlushGPUDirectRDMAWrites(int, int) { return as_told(); }
STANDIN_API int cuDeviceGetLuid(char*, unsigned*, int) { return not_supported; }  // Windows has it

SAME(cuIpcGetMemHandle, cudaIpcGetMemHandle, (Shared * handle, void* address), (handle, address))
SAME(cuIpcOpenMemHandle_v2, cudaIpcOpenMemHandle, (void** address, Shared handle, unsigned flags),
     (address, handle, flags))
SAME(cuIpcGetEventHandle, cudaIpcGetEventHandle, (Shared * handle, void* event), (handle, event))
SAME(cuIpcOpenEventHandle, cudaIpcOpenEventHandle, (void** event, Shared handle), (event, handle))
SAME(cuIpcCloseMemHandle, cudaIpcCloseMemHandle, (void* address), (address))

SAME(cuMemcpyBatchAsync, cudaMemcpyBatchAsync,
     (void** to, const void** from, const Size* bytes, Size count, const void* how, const Size* places, Size different,
      void* eighth, void* ninth),
     (to, from, bytes, count, how, places, different, eighth, ninth))
STANDIN_API int cuMemcpyBatchAsync_v2(void** to, const void** from, const Size* bytes, Size count, const void* how,
                                      const Size* places, Size different, void* stream) {
    return cuMemcpyBatchAsync(to, from, bytes, count, how, places, different, stream, nullptr);
}
SAME(cuMemcpyWithAttributesAsync, cudaMemcpyWithAttributesAsync,
     (void* to, const void* from, Size bytes, const void* how, void* stream), (to, from, bytes, how, stream))
SAME(cuFuncGetParamCount, cudaFuncGetParamCount, (const void* function, Size* count), (function, count))
SAME(cuKernelGetParamCount, cudaFuncGetParamCount, (const void* kernel, Size* count), (kernel, count))

SAME(cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams, (void* node, const void* how), (node, how))
SAME(cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams, (void* graph, void* node, const void* how),
     (graph, node, how))
SAME(cuGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams, (void* node, const void* how), (node, how))
extern "C" int cudaGraphExecMemsetNodeSetParams(void* graph, void* node, const void* how);
STANDIN_API int cuGraphExecMemsetNodeSetParams(void* graph, void* node, const void* how, void*) {
    return quietly_called([&] { return cudaGraphExecMemsetNodeSetParams(graph, node, how); });
}
SAME(cuGraphMemAllocNodeGetParams, cudaGraphMemAllocNodeGetParams, (void* node, void* how), (node, how))
SAME(cuGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams, (void* node, void* address), (node, address))

extern "C" int cudaOccupancyMaxActiveClusters(int*, const void*, const Configuration*);
STANDIN_API int cuOccupancyMaxActiveClusters(int* clusters, const void* function, const Configuration* how) {
    if (how == nullptr) return invalid_value;
    const Configuration own(how);
    return quietly_called([&] { return cudaOccupancyMaxActiveClusters(clusters, function, &own); });
}
extern "C" int cudaOccupancyMaxPotentialClusterSize(int*, const void*, const Configuration*);
STANDIN_API int cuOccupancyMaxPotentialClusterSize(int* size, const void* function, const Configuration* how) {
    if (how == nullptr) return invalid_value;
    const Configuration own(how);
    return quietly_called([&] { return cudaOccupancyMaxPotentialClusterSize(size, function, &own); });
}
