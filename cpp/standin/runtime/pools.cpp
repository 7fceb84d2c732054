// Pools, and hints on managed memory, of the runtime.
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

int as_told() {
    return call([](Device&) { return static_cast<int>(success); });
}

int the_pool(void** pool) {
    return call([&](Device& gpu) {
        *pool = &gpu.memory;
        return static_cast<int>(success);
    });
}

constexpr int on_host = -1, nowhere = -2;  // cudaCpuDeviceId, cudaInvalidDeviceId

// What a program was told of an allocation; a hint on a part of it counts for all.
struct Advice {
    bool is_read_mostly = false;
    int preferred = nowhere, accessed_by = nowhere, prefetched = nowhere;
};

std::map<std::uint64_t, Advice>& advices() {
    static auto* all = new std::map<std::uint64_t, Advice>;
    return *all;
}

// CUDA 13 has a kind and a number of a place in one word, CUDA 12 a device alone.
int place_of(std::uint64_t location) {
    const auto first = static_cast<std::int32_t>(location);
    constexpr int device_kind = 1;
    if (first == 0 || first == on_host) return first;
    return first == device_kind ? static_cast<int>(location >> 32) : on_host;
}

template <class Body>
int on_advice(const void* address, Body&& body) {
    return call([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(reinterpret_cast<std::uint64_t>(address));
        const bool is_managed = known != nullptr && (known->space == Space::managed || known->space == Space::module);
        if (!is_managed) return invalid_value;
        return body(advices()[known->address]);
    });
}

int read_attribute(const Advice& own, int attribute, void* data, std::size_t bytes) {
    const int values[] = {own.is_read_mostly, own.preferred, own.accessed_by, own.prefetched};
    if (attribute < 1 || attribute > 4 || bytes < sizeof(int)) return invalid_value;
    auto* result = static_cast<int*>(data);
    for (std::size_t place = 0; place < bytes / sizeof(int); ++place)
        result[place] = place == 0 ? values[attribute - 1] : nowhere;  // several devices for accessed_by alone
    return success;
}

}  // namespace

STANDIN_API int cudaMemAdvise(const void* address, std::size_t, int advice, std::uint64_t location) {
    return on_advice(address, [&](Advice& own) -> int {
        const int place = place_of(location);
        switch (advice) {
            case 1: own.is_read_mostly = true; return success;
            case 2: own.is_read_mostly = false; return success;
            case 3: own.preferred = place; return success;
            case 4: own.preferred = nowhere; return success;
            case 5: own.accessed_by = place; return success;
            case 6: own.accessed_by = nowhere; return success;
            default: return invalid_value;
        }
    });
}
// CUDA 12 has the stream where CUDA 13 has flags before it. What goes to the host is a hint without a time.
STANDIN_API int cudaMemPrefetchAsync(const void* address, std::size_t bytes, std::uint64_t location, void* fourth,
                                     void* fifth) {
    return on_advice(address, [&](Advice& own) -> int {
        own.prefetched = place_of(location);
        if (own.prefetched == on_host) return success;
        const bool is_12 = static_cast<std::int32_t>(location) == 0;
        return device().prefetch(address, bytes, device().stream(is_12 ? fourth : fifth));
    });
}
STANDIN_API int cudaMemRangeGetAttribute(void* data, std::size_t bytes, int attribute, const void* address,
                                         std::size_t) {
    return on_advice(address, [&](Advice& own) { return read_attribute(own, attribute, data, bytes); });
}
STANDIN_API int cudaMemRangeGetAttributes(void** data, std::size_t* bytes, int* attributes, std::size_t count,
                                          const void* address, std::size_t) {
    return on_advice(address, [&](Advice& own) {
        int error = success;
        for (std::size_t place = 0; place < count && error == success; ++place)
            error = read_attribute(own, attributes[place], data[place], bytes[place]);
        return error;
    });
}
STANDIN_API int cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) { return as_told(); }

STANDIN_API int cudaDeviceGetDefaultMemPool(void** pool, int) { return the_pool(pool); }
STANDIN_API int cudaDeviceGetMemPool(void** pool, int) { return the_pool(pool); }
STANDIN_API int cudaMemGetDefaultMemPool(void** pool, const void*, int) { return the_pool(pool); }
STANDIN_API int cudaMemGetMemPool(void** pool, const void*, int) { return the_pool(pool); }
STANDIN_API int cudaMemSetMemPool(const void*, int, void*) { return as_told(); }
STANDIN_API int cudaMemPoolCreate(void** pool, const void*) { return the_pool(pool); }
STANDIN_API int cudaMemPoolDestroy(void*) { return as_told(); }
STANDIN_API int cudaMemPoolSetAttribute(void*, int, void*) { return as_told(); }
STANDIN_API int cudaMemPoolSetAccess(void*, const void*, std::size_t) { return as_told(); }
STANDIN_API int cudaMemPoolGetAccess(int* flags, void*, const void*) {
    return call([&](Device&) {
        *flags = 3;  // read and write
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaMemPoolTrimTo(void*, std::size_t) { return as_told(); }
STANDIN_API int cudaDeviceSetMemPool(int, void*) { return as_told(); }
STANDIN_API int cudaMemPoolGetAttribute(void*, int attribute, void* value) {
    return call([&](Device& gpu) {
        const bool counts = attribute >= 5;  // bytes reserved and used, now and at most
        *static_cast<std::uint64_t*>(value) = counts ? gpu.memory.used() : 0;
        return static_cast<int>(success);
    });
}
