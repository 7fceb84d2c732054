// Functions of the driver interface that are those of the runtime under another name, with parameters of the same layout.
#include "standin/driver/same.hpp"

using namespace foretell::standin;

using Size = std::size_t;
using Body = void (*)(void*);
using Callback = void (*)(void*, int, void*);

SAME(cuLaunchHostFunc, cudaLaunchHostFunc, (void* stream, Body body, void* data), (stream, body, data))
SAME(cuStreamAddCallback, cudaStreamAddCallback, (void* stream, Callback body, void* data, unsigned flags),
     (stream, body, data, flags))
SAME(cuStreamGetFlags, cudaStreamGetFlags, (void* stream, unsigned* flags), (stream, flags))
SAME(cuStreamGetPriority, cudaStreamGetPriority, (void* stream, int* priority), (stream, priority))
SAME(cuStreamGetId, cudaStreamGetId, (void* stream, unsigned long long* id), (stream, id))
SAME(cuStreamSetAttribute, cudaStreamSetAttribute, (void* stream, int attribute, const void* value),
     (stream, attribute, value))
SAME(cuStreamGetAttribute, cudaStreamGetAttribute, (void* stream, int attribute, void* value),
     (stream, attribute, value))
SAME(cuStreamAttachMemAsync, cudaStreamAttachMemAsync, (void* stream, void* address, Size bytes, unsigned flags),
     (stream, address, bytes, flags))

SAME(cuMemHostRegister_v2, cudaHostRegister, (void* address, Size bytes, unsigned flags), (address, bytes, flags))
SAME(cuMemHostUnregister, cudaHostUnregister, (void* address), (address))
SAME(cuMemHostGetFlags, cudaHostGetFlags, (unsigned* flags, void* host), (flags, host))
SAME(cuMemAdvise, cudaMemAdvise, (const void* address, Size bytes, int advice, std::uint64_t location),
     (address, bytes, advice, location))
SAME(cuMemPrefetchAsync, cudaMemPrefetchAsync,
     (const void* address, Size bytes, std::uint64_t location, void* fourth, void* fifth),
     (address, bytes, location, fourth, fifth))
SAME(cuMemAdvise_v2, cudaMemAdvise, (const void* address, Size bytes, int advice, std::uint64_t location),
     (address, bytes, advice, location))
SAME(cuMemPrefetchAsync_v2, cudaMemPrefetchAsync,
     (const void* address, Size bytes, std::uint64_t location, void* fourth, void* fifth),
     (address, bytes, location, fourth, fifth))
SAME(cuMemRangeGetAttributes, cudaMemRangeGetAttributes,
     (void** data, Size* bytes, int* attributes, Size count, const void* address, Size range),
     (data, bytes, attributes, count, address, range))
SAME(cuMemRangeGetAttribute, cudaMemRangeGetAttribute,
     (void* data, Size bytes, int attribute, const void* address, Size range), (data, bytes, attribute, address, range))
SAME(cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool, (void** pool, int number), (pool, number))
SAME(cuDeviceGetMemPool, cudaDeviceGetMemPool, (void** pool, int number), (pool, number))
SAME(cuDeviceSetMemPool, cudaDeviceSetMemPool, (int number, void* pool), (number, pool))
SAME(cuMemPoolCreate, cudaMemPoolCreate, (void** pool, const void* how), (pool, how))
SAME(cuMemPoolDestroy, cudaMemPoolDestroy, (void* pool), (pool))
SAME(cuMemPoolSetAttribute, cudaMemPoolSetAttribute, (void* pool, int attribute, void* value), (pool, attribute, value))
SAME(cuMemPoolGetAttribute, cudaMemPoolGetAttribute, (void* pool, int attribute, void* value), (pool, attribute, value))
SAME(cuMemPoolTrimTo, cudaMemPoolTrimTo, (void* pool, Size bytes), (pool, bytes))
SAME(cuMemPoolSetAccess, cudaMemPoolSetAccess, (void* pool, const void* how, Size count), (pool, how, count))
SAME(cuMemAllocAsync, cudaMallocAsync, (void** result, Size bytes, void* stream), (result, bytes, stream))
SAME(cuMemFreeAsync, cudaFreeAsync, (void* address, void* stream), (address, stream))
SAME(cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync, (void** result, Size bytes, void* pool, void* stream),
     (result, bytes, pool, stream))
SAME(cuMemPoolGetAccess, cudaMemPoolGetAccess, (int* flags, void* pool, const void* location), (flags, pool, location))
SAME(cuMemGetDefaultMemPool, cudaMemGetDefaultMemPool, (void** pool, const void* location, int kind),
     (pool, location, kind))
SAME(cuMemGetMemPool, cudaMemGetMemPool, (void** pool, const void* location, int kind), (pool, location, kind))
SAME(cuMemSetMemPool, cudaMemSetMemPool, (const void* location, int kind, void* pool), (location, kind, pool))
SAME(cuStreamCopyAttributes, cudaStreamCopyAttributes, (void* to, void* from), (to, from))
SAME(cuStreamGetDevice, cudaStreamGetDevice, (void* stream, int* number), (stream, number))
SAME(cuEventRecordWithFlags, cudaEventRecordWithFlags, (void* event, void* stream, unsigned flags),
     (event, stream, flags))
SAME(cuFuncGetParamInfo, cudaFuncGetParamInfo, (const void* function, Size index, Size* offset, Size* size),
     (function, index, offset, size))
SAME(cuKernelGetParamInfo, cudaFuncGetParamInfo, (const void* kernel, Size index, Size* offset, Size* size),
     (kernel, index, offset, size))
SAME(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim, (int number), (number))
SAME(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute, (int number, int attribute, void* value),
     (number, attribute, value))
SAME(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute, (int number, int attribute, void* value),
     (number, attribute, value))
SAME(cuCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache, (), ())
SAME(cuDeviceGetPCIBusId, cudaDeviceGetPCIBusId, (char* text, int bytes, int number), (text, bytes, number))
SAME(cuDeviceGetByPCIBusId, cudaDeviceGetByPCIBusId, (int* number, const char* text), (number, text))

// ------------------------------------------------------------------------------------------ occupancy

STANDIN_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function, Size (*shared_of)(int),
                                                          Size shared_bytes, int limit, unsigned) {
    return call(
        [&](Device& gpu) -> int {
            auto& known = *static_cast<Function*>(function);
            if (const int error = gpu.resolve(known); error != success) return error;
            constexpr int warp = 32, processors = 16;  // the attribute with the number of multiprocessors
            const int most = limit > 0 ? std::min(limit, known.most_threads) : known.most_threads;
            int best = 0;
            for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
                int blocks = 0;
                const int own = std::min(threads, most);
                const Size shared = shared_of == nullptr ? shared_bytes : shared_of(own);
                if (const int error = gpu.occupancy(known, own, shared, blocks); error != success) return error;
                if (blocks * own <= best) continue;
                best = blocks * own;
                *block = own;
                *grid = blocks * static_cast<int>(gpu.attributes[processors]);
            }
            return best == 0 ? invalid_value : success;
        },
        false);
}
STANDIN_API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function, Size (*shared_of)(int),
                                                 Size shared_bytes, int limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared_bytes, limit, 0);
}
SAME(cuOccupancyAvailableDynamicSMemPerBlock, cudaOccupancyAvailableDynamicSMemPerBlock,
     (Size * bytes, const void* function, int blocks, int threads), (bytes, function, blocks, threads))
