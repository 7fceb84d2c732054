// The runtime of programs that are compiled with a default stream for each thread (nvcc --default-stream per-thread): no
// stream is the thread's own (cudaStreamPerThread). The program is followed as one thread.
#include "standin/runtime/copies.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

using Size = std::size_t;

void* own(void* stream) { return stream == nullptr ? reinterpret_cast<void*>(2) : stream; }

}  // namespace

// Each function here calls the one that it is a variant of.
#define VARIANT(NAME, PARAMETERS, ARGUMENTS) \
    extern "C" int NAME PARAMETERS;          \
    STANDIN_API int NAME##_ptsz PARAMETERS { return NAME ARGUMENTS; }

VARIANT(cudaLaunchKernel, (const void* host, Dim3 grid, Dim3 block, void** arguments, Size shared, void* stream),
        (host, grid, block, arguments, shared, own(stream)))
VARIANT(__cudaLaunchKernel, (void* handle, Dim3 grid, Dim3 block, void** arguments, Size shared, void* stream),
        (handle, grid, block, arguments, shared, own(stream)))
VARIANT(cudaLaunchCooperativeKernel,
        (const void* host, Dim3 grid, Dim3 block, void** arguments, Size shared, void* stream),
        (host, grid, block, arguments, shared, own(stream)))
VARIANT(cudaLaunchHostFunc, (void* stream, void (*body)(void*), void* data), (own(stream), body, data))
VARIANT(cudaStreamAddCallback, (void* stream, void (*body)(void*, int, void*), void* data, unsigned flags),
        (own(stream), body, data, flags))
VARIANT(cudaMallocAsync, (void** result, Size bytes, void* stream), (result, bytes, own(stream)))
VARIANT(cudaMallocFromPoolAsync, (void** result, Size bytes, void* pool, void* stream),
        (result, bytes, pool, own(stream)))
VARIANT(cudaFreeAsync, (void* address, void* stream), (address, own(stream)))
VARIANT(cudaMemcpyAsync, (void* to, const void* from, Size bytes, int direction, void* stream),
        (to, from, bytes, direction, own(stream)))
VARIANT(cudaMemcpy2DAsync,
        (void* to, Size to_pitch, const void* from, Size from_pitch, Size width, Size height, int direction,
         void* stream),
        (to, to_pitch, from, from_pitch, width, height, direction, own(stream)))
VARIANT(cudaMemcpy3DAsync, (const void* how, void* stream), (how, own(stream)))
VARIANT(cudaMemsetAsync, (void* to, int value, Size bytes, void* stream), (to, value, bytes, own(stream)))
VARIANT(cudaMemset3DAsync, (runtime::PitchedPointer to, int value, runtime::Extent extent, void* stream),
        (to, value, extent, own(stream)))
VARIANT(cudaMemset2DAsync, (void* to, Size pitch, int value, Size width, Size height, void* stream),
        (to, pitch, value, width, height, own(stream)))
VARIANT(cudaMemcpyToSymbolAsync,
        (const void* host, const void* from, Size bytes, Size offset, int direction, void* stream),
        (host, from, bytes, offset, direction, own(stream)))
VARIANT(cudaMemcpyFromSymbolAsync, (void* to, const void* host, Size bytes, Size offset, int direction, void* stream),
        (to, host, bytes, offset, direction, own(stream)))
VARIANT(cudaMemPrefetchAsync, (const void* address, Size bytes, std::uint64_t location, void* fourth, void* fifth),
        (address, bytes, location, own(fourth), own(fifth)))
VARIANT(cudaStreamSetAttribute, (void* stream, int attribute, const void* value), (own(stream), attribute, value))
VARIANT(cudaStreamGetAttribute, (void* stream, int attribute, void* value), (own(stream), attribute, value))
VARIANT(cudaStreamCopyAttributes, (void* to, void* from), (own(to), own(from)))
VARIANT(cudaStreamBeginCaptureToGraph,
        (void* stream, void* graph, void* const* after, const void* edges, Size count, int mode),
        (own(stream), graph, after, edges, count, mode))
VARIANT(cudaStreamUpdateCaptureDependencies,
        (void* stream, void** nodes, std::uintptr_t edges, Size count, unsigned flags),
        (own(stream), nodes, edges, count, flags))
VARIANT(cudaMemcpyToArrayAsync, (void* to, Size x, Size y, const void* from, Size bytes, int direction, void* stream),
        (to, x, y, from, bytes, direction, own(stream)))
VARIANT(cudaMemcpyFromArrayAsync, (void* to, void* from, Size x, Size y, Size bytes, int direction, void* stream),
        (to, from, x, y, bytes, direction, own(stream)))
VARIANT(cudaStreamGetCaptureInfo,
        (void* stream, int* status, unsigned long long* id, void** graph, const void* const** after, const void** edges,
         Size* count),
        (own(stream), status, id, graph, after, edges, count))
VARIANT(cudaMemcpy2DToArrayAsync,
        (void* to, Size x, Size y, const void* from, Size pitch, Size width, Size height, int direction, void* stream),
        (to, x, y, from, pitch, width, height, direction, own(stream)))
VARIANT(cudaMemcpy2DFromArrayAsync,
        (void* to, Size pitch, void* from, Size x, Size y, Size width, Size height, int direction, void* stream),
        (to, pitch, from, x, y, width, height, direction, own(stream)))
VARIANT(cudaGraphUpload, (void* graph, void* stream), (graph, own(stream)))
VARIANT(cudaStreamAttachMemAsync, (void* stream, void* address, Size bytes, unsigned flags),
        (own(stream), address, bytes, flags))
VARIANT(cudaStreamSynchronize, (void* stream), (own(stream)))
VARIANT(cudaStreamQuery, (void* stream), (own(stream)))
VARIANT(cudaStreamWaitEvent, (void* stream, void* event, unsigned flags), (own(stream), event, flags))
VARIANT(cudaStreamGetFlags, (void* stream, unsigned* flags), (own(stream), flags))
VARIANT(cudaStreamGetPriority, (void* stream, int* priority), (own(stream), priority))
VARIANT(cudaStreamGetId, (void* stream, unsigned long long* id), (own(stream), id))
VARIANT(cudaStreamGetDevice, (void* stream, int* number), (own(stream), number))
VARIANT(cudaEventRecord, (void* event, void* stream), (event, own(stream)))
VARIANT(cudaEventRecordWithFlags, (void* event, void* stream, unsigned flags), (event, own(stream), flags))
VARIANT(cudaStreamBeginCapture, (void* stream, int mode), (own(stream), mode))
VARIANT(cudaStreamEndCapture, (void* stream, void** graph), (own(stream), graph))
VARIANT(cudaStreamIsCapturing, (void* stream, int* status), (own(stream), status))
VARIANT(cudaGraphLaunch, (void* graph, void* stream), (graph, own(stream)))

namespace {

// A synchronous function is its asynchronous one, and a wait for the stream.
int finished(int error) { return error == success ? cudaStreamSynchronize(own(nullptr)) : error; }

}  // namespace

STANDIN_API int cudaMemcpy_ptds(void* to, const void* from, Size bytes, int direction) {
    return finished(cudaMemcpyAsync(to, from, bytes, direction, own(nullptr)));
}
STANDIN_API int cudaMemcpy2D_ptds(void* to, Size to_pitch, const void* from, Size from_pitch, Size width, Size height,
                                  int direction) {
    return finished(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, direction, own(nullptr)));
}
STANDIN_API int cudaMemcpy3D_ptds(const void* how) { return finished(cudaMemcpy3DAsync(how, own(nullptr))); }
STANDIN_API int cudaMemset_ptds(void* to, int value, Size bytes) {
    return cudaMemsetAsync(to, value, bytes, own(nullptr));
}
STANDIN_API int cudaMemset2D_ptds(void* to, Size pitch, int value, Size width, Size height) {
    return cudaMemset2DAsync(to, pitch, value, width, height, own(nullptr));
}
STANDIN_API int cudaMemset3D_ptds(runtime::PitchedPointer to, int value, runtime::Extent extent) {
    return cudaMemset3DAsync(to, value, extent, own(nullptr));
}
STANDIN_API int cudaMemcpyToSymbol_ptds(const void* host, const void* from, Size bytes, Size offset, int direction) {
    return finished(cudaMemcpyToSymbolAsync(host, from, bytes, offset, direction, own(nullptr)));
}
STANDIN_API int cudaMemcpyFromSymbol_ptds(void* to, const void* host, Size bytes, Size offset, int direction) {
    return finished(cudaMemcpyFromSymbolAsync(to, host, bytes, offset, direction, own(nullptr)));
}
STANDIN_API int cudaMemcpy2DToArray_ptds(void* to, Size x, Size y, const void* from, Size pitch, Size width,
                                         Size height, int direction) {
    return finished(cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, direction, own(nullptr)));
}
STANDIN_API int cudaMemcpy2DFromArray_ptds(void* to, Size pitch, void* from, Size x, Size y, Size width, Size height,
                                           int direction) {
    return finished(cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, direction, own(nullptr)));
}
