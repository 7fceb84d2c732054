// Memory, launches, streams and events of the driver interface.
#include <algorithm>
#include <cstring>

#include "standin/device.hpp"

using namespace foretell::standin;

namespace {

using Address = unsigned long long;

void* pointer(Address address) { return reinterpret_cast<void*>(address); }

template <class Body>
int quietly(Body&& body) {
    return call(std::forward<Body>(body), false);
}

int copy(void* to, const void* from, std::size_t bytes, int direction, void* stream, bool asynchronous) {
    return quietly([&](Device& gpu) { return gpu.copy(to, from, bytes, direction, gpu.stream(stream), asynchronous); });
}

int set(Address to, std::size_t pitch, unsigned value, unsigned element, std::size_t count, std::size_t rows,
        void* stream, bool asynchronous) {
    return quietly([&](Device& gpu) {
        return gpu.set_rows(pointer(to), pitch, value, element, count, rows, gpu.stream(stream), asynchronous);
    });
}

struct Attribute {
    int id, padding;
    union {
        Dim3 cluster;
        int number;
        char bytes[64];
    };
};

struct Configuration {
    Dim3 grid, block;
    unsigned shared_bytes;
    void* stream;
    Attribute* attributes;
    unsigned count;
};

// Parameters one by one, or as one buffer with its size (CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE).
std::string parameters(const Function& known, void** single, void** packed) {
    std::string bytes(known.parameter_bytes, '\0');
    if (single != nullptr) {
        for (std::size_t place = 0; place < known.parameters.size(); ++place)
            memcpy(bytes.data() + known.parameters[place].first, single[place], known.parameters[place].second);
        return bytes;
    }
    const void* buffer = nullptr;
    std::size_t size = 0;
    for (; packed != nullptr && *packed != nullptr; packed += 2) {
        if (packed[0] == pointer(1)) buffer = packed[1];
        if (packed[0] == pointer(2)) size = *static_cast<std::size_t*>(packed[1]);
    }
    if (buffer != nullptr) memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
    return bytes;
}

// CUpointer_attribute
int attribute_of(Device& gpu, const Allocation& known, int attribute, Address address, void* result) {
    const bool host = known.space == Space::host;
    switch (attribute) {
        case 1: *static_cast<void**>(result) = &gpu; return success;
        case 2: *static_cast<unsigned*>(result) = host ? 1 : 2; return success;
        case 3:
        case 4: *static_cast<Address*>(result) = address; return success;
        case 6: *static_cast<unsigned*>(result) = 1; return success;
        case 7: *static_cast<Address*>(result) = known.address; return success;
        case 8: *static_cast<unsigned*>(result) = known.space == Space::managed; return success;
        case 9: *static_cast<int*>(result) = 0; return success;
        case 11: *static_cast<Address*>(result) = known.address; return success;
        case 12: *static_cast<std::size_t*>(result) = known.bytes; return success;
        case 13: *static_cast<int*>(result) = 1; return success;
        default: return not_supported;
    }
}

int launch(void* function, const Launch& how, void* stream, void** single, void** packed) {
    return quietly([&](Device& gpu) -> int {
        auto& known = *static_cast<Function*>(function);
        if (const int error = gpu.resolve(known); error != success) return error;
        return gpu.launch(known, how, parameters(known, single, packed), gpu.stream(stream));
    });
}

}  // namespace

// ------------------------------------------------------------------------------------------ memory

STANDIN_API int cuMemAlloc_v2(Address* result, std::size_t bytes) {
    if (bytes == 0) return invalid_value;
    return quietly([&](Device& gpu) { return gpu.allocate(reinterpret_cast<void**>(result), bytes, Space::device); });
}
STANDIN_API int cuMemAllocManaged(Address* result, std::size_t bytes, unsigned flags) {
    return quietly(
        [&](Device& gpu) { return gpu.allocate(reinterpret_cast<void**>(result), bytes, Space::managed, flags); });
}
STANDIN_API int cuMemAllocPitch_v2(Address* result, std::size_t* pitch, std::size_t width, std::size_t height,
                                   unsigned) {
    *pitch = (width + 511) / 512 * 512;
    return cuMemAlloc_v2(result, *pitch * height);
}
STANDIN_API int cuMemFree_v2(Address address) {
    return quietly([&](Device& gpu) {
        const int error = gpu.synchronise(static_cast<Stream*>(nullptr));
        return error != success ? error : gpu.release(pointer(address), false);
    });
}
STANDIN_API int cuMemHostAlloc(void** result, std::size_t bytes, unsigned flags) {
    return quietly([&](Device& gpu) { return gpu.allocate(result, bytes, Space::host, flags); });
}
STANDIN_API int cuMemAllocHost_v2(void** result, std::size_t bytes) { return cuMemHostAlloc(result, bytes, 0); }
STANDIN_API int cuMemFreeHost(void* address) {
    return quietly([&](Device& gpu) { return gpu.release(address, true); });
}
STANDIN_API int cuMemHostGetDevicePointer_v2(Address* result, void* host, unsigned) {
    return quietly([&](Device& gpu) -> int {
        const auto address = reinterpret_cast<Address>(host);
        if (!gpu.memory.inside(address)) return invalid_value;
        *result = address;
        return success;
    });
}
STANDIN_API int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    return quietly([&](Device& gpu) {
        *total = gpu.memory.device_bytes();
        *free = gpu.memory.device_bytes() - gpu.memory.used();
        return static_cast<int>(success);
    });
}
STANDIN_API int cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address) {
    return quietly([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(address);
        if (known == nullptr) return not_found;
        if (base != nullptr) *base = known->address;
        if (bytes != nullptr) *bytes = known->bytes;
        return success;
    });
}
STANDIN_API int cuPointerGetAttribute(void* result, int attribute, Address address) {
    return quietly([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(address);
        return known == nullptr ? static_cast<int>(invalid_value)
                                : attribute_of(gpu, *known, attribute, address, result);
    });
}
// Of memory that is not CUDA's, all are zero.
STANDIN_API int cuPointerGetAttributes(unsigned count, const int* wanted, void** results, Address address) {
    return quietly([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(address);
        for (unsigned place = 0; place < count; ++place) {
            const bool is_address =
                wanted[place] == 1 || wanted[place] == 3 || wanted[place] == 4 || wanted[place] == 11;
            std::memset(results[place], 0, is_address ? sizeof(Address) : sizeof(int));
            if (known != nullptr) attribute_of(gpu, *known, wanted[place], address, results[place]);
        }
        return success;
    });
}
STANDIN_API int cuPointerSetAttribute(const void*, int, Address address) {  // whether copies always wait: they do
    return quietly([&](Device& gpu) -> int { return gpu.memory.find(address) == nullptr ? invalid_value : success; });
}

STANDIN_API int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    return copy(pointer(to), from, bytes, 1, nullptr, false);
}
STANDIN_API int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    return copy(to, pointer(from), bytes, 2, nullptr, false);
}
STANDIN_API int cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, 3, nullptr, false);
}
STANDIN_API int cuMemcpy(Address to, Address from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, 4, nullptr, false);
}
STANDIN_API int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* stream) {
    return copy(pointer(to), from, bytes, 1, stream, true);
}
STANDIN_API int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* stream) {
    return copy(to, pointer(from), bytes, 2, stream, true);
}
STANDIN_API int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void* stream) {
    return copy(pointer(to), pointer(from), bytes, 3, stream, true);
}
STANDIN_API int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* stream) {
    return copy(pointer(to), pointer(from), bytes, 4, stream, true);
}
STANDIN_API int cuMemsetD8_v2(Address to, unsigned char value, std::size_t count) {
    return set(to, count, value, 1, count, 1, nullptr, false);
}
STANDIN_API int cuMemsetD16_v2(Address to, unsigned short value, std::size_t count) {
    return set(to, 2 * count, value, 2, count, 1, nullptr, false);
}
STANDIN_API int cuMemsetD32_v2(Address to, unsigned value, std::size_t count) {
    return set(to, 4 * count, value, 4, count, 1, nullptr, false);
}
STANDIN_API int cuMemsetD8Async(Address to, unsigned char value, std::size_t count, void* stream) {
    return set(to, count, value, 1, count, 1, stream, true);
}
STANDIN_API int cuMemsetD16Async(Address to, unsigned short value, std::size_t count, void* stream) {
    return set(to, 2 * count, value, 2, count, 1, stream, true);
}
STANDIN_API int cuMemsetD32Async(Address to, unsigned value, std::size_t count, void* stream) {
    return set(to, 4 * count, value, 4, count, 1, stream, true);
}

// ------------------------------------------------------------------------------------------ launches

STANDIN_API int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** single,
                               void** packed) {
    const Launch how{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {}, shared_bytes, false};
    return launch(function, how, stream, single, packed);
}
STANDIN_API int cuLaunchCooperativeKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                          void* stream, void** single) {
    const Launch how{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {}, shared_bytes, true};
    return launch(function, how, stream, single, nullptr);
}
STANDIN_API int cuLaunchKernelEx(const Configuration* how, void* function, void** single, void** packed) {
    Launch wanted{how->grid, how->block, {}, how->shared_bytes, false};
    for (unsigned place = 0; place < how->count; ++place) {
        if (how->attributes[place].id == 4) wanted.cluster = how->attributes[place].cluster;
        if (how->attributes[place].id == 2) wanted.cooperative = how->attributes[place].number != 0;
    }
    return launch(function, wanted, how->stream, single, packed);
}
STANDIN_API int cuFuncGetAttribute(int* result, int attribute, void* function) {
    return quietly([&](Device& gpu) -> int {
        auto& known = *static_cast<Function*>(function);
        if (const int error = gpu.resolve(known); error != success) return error;
        const int values[] = {known.most_threads, known.shared_bytes, known.constant_bytes, known.local_bytes,
                              known.registers,    known.arch,         known.arch,           0,
                              known.dynamic_limit};
        if (attribute < 0 || attribute > 15) return invalid_value;
        *result = attribute < 9 ? values[attribute] : 0;
        return success;
    });
}
STANDIN_API int cuFuncSetAttribute(void* function, int attribute, int value) {
    return quietly([&](Device& gpu) -> int {
        auto& known = *static_cast<Function*>(function);
        if (const int error = gpu.resolve(known); error != success) return error;
        if (attribute != 8) return success;
        if (value < 0 || value + known.shared_bytes > gpu.attributes[97]) return invalid_value;
        gpu.limit_dynamic(known, value);
        return success;
    });
}
STANDIN_API int cuKernelGetAttribute(int* result, int attribute, void* kernel, int) {
    return cuFuncGetAttribute(result, attribute, kernel);
}
STANDIN_API int cuKernelSetAttribute(int attribute, int value, void* kernel, int) {
    return cuFuncSetAttribute(kernel, attribute, value);
}
STANDIN_API int cuFuncSetCacheConfig(void*, int) {
    return quietly([](Device&) { return static_cast<int>(success); });
}
STANDIN_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                            std::size_t shared_bytes) {
    return quietly(
        [&](Device& gpu) { return gpu.occupancy(*static_cast<Function*>(function), threads, shared_bytes, *blocks); });
}
STANDIN_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function, int threads,
                                                                     std::size_t shared_bytes, unsigned) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
}

// ------------------------------------------------------------------------------------------ streams and events

STANDIN_API int cuStreamCreate(void** result, unsigned flags) {
    return quietly([&](Device& gpu) {
        *result = gpu.new_stream(flags, 0);
        return static_cast<int>(success);
    });
}
STANDIN_API int cuStreamCreateWithPriority(void** result, unsigned flags, int priority) {
    return quietly([&](Device& gpu) {
        *result = gpu.new_stream(flags, priority);
        return static_cast<int>(success);
    });
}
STANDIN_API int cuStreamDestroy_v2(void* stream) {
    return quietly([&](Device& gpu) { return gpu.drop_stream(static_cast<Stream*>(stream)); });
}
STANDIN_API int cuStreamSynchronize(void* stream) {
    return quietly([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        return known == nullptr ? static_cast<int>(invalid_handle) : gpu.synchronise(known);
    });
}
STANDIN_API int cuStreamQuery(void* stream) { return cuStreamSynchronize(stream); }
STANDIN_API int cuStreamWaitEvent(void* stream, void* event, unsigned) {
    return quietly([&](Device& gpu) { return gpu.wait(gpu.stream(stream), gpu.event(event)); });
}
STANDIN_API int cuEventCreate(void** result, unsigned flags) {
    return quietly([&](Device& gpu) {
        *result = gpu.new_event(flags);
        return static_cast<int>(success);
    });
}
STANDIN_API int cuEventDestroy_v2(void* event) {
    return quietly([&](Device& gpu) { return gpu.drop_event(static_cast<Event*>(event)); });
}
STANDIN_API int cuEventRecord(void* event, void* stream) {
    return quietly([&](Device& gpu) { return gpu.record(gpu.event(event), gpu.stream(stream)); });
}
STANDIN_API int cuEventSynchronize(void* event) {
    return quietly([&](Device& gpu) { return gpu.synchronise(gpu.event(event)); });
}
STANDIN_API int cuEventQuery(void* event) { return cuEventSynchronize(event); }
STANDIN_API int cuEventElapsedTime(float* milliseconds, void* first, void* last) {
    return quietly([&](Device& gpu) { return gpu.elapsed(gpu.event(first), gpu.event(last), *milliseconds); });
}
STANDIN_API int cuEventElapsedTime_v2(float* milliseconds, void* first, void* last) {
    return cuEventElapsedTime(milliseconds, first, last);
}
