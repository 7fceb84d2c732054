// Pools, memory that streams take from them, and hints on managed memory, of the runtime.
#include <algorithm>
#include <set>

#include "standin/runtime/registered.hpp"

using namespace foretell::standin;

namespace {

int as_told() {
    return call([](Device&) { return static_cast<int>(success); });
}

// cudaMemPoolAttr: three flags, the threshold of release, and bytes that are reserved and used, now and at most. Pages
// that are free go back at once: what is reserved is what is used.
struct Pool {
    enum Attribute : int { threshold = 4, reserved = 5, reserved_most, used, used_most };
    int flags[4] = {0, 1, 1, 1};
    std::uint64_t kept = 0, taken = 0, most = 0;
};

struct Pools {
    Pool common;
    Pool* current = &common;
    std::set<Pool*> made;
    std::map<std::uint64_t, std::pair<Pool*, std::uint64_t>> taken;  // by address: where from, and bytes
};

Pools& pools() {
    static auto* all = new Pools;
    return *all;
}

Pool* pool_of(void* handle) {
    auto* own = static_cast<Pool*>(handle);
    return own == &pools().common || pools().made.count(own) != 0 ? own : nullptr;
}

int tell(void** result, Pool* pool) {
    return call([&](Device&) -> int {
        if (result == nullptr) return invalid_value;
        *result = pool;
        return success;
    });
}

// Of a capture, memory is taken at once, for as long as the program runs; the node is empty.
int take(void** result, std::size_t bytes, Pool* pool, void* stream) {
    constexpr int take_node = 10;  // cudaGraphNodeTypeMemAlloc
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        if (pool == nullptr) return invalid_value;
        if (const int error = gpu.allocate(result, bytes, Space::device); error != success || *result == nullptr)
            return error;
        if (known->capture)
            return gpu.submit(known, take_node, [bytes](std::uint32_t) { return runtime::taken_in_graph(bytes); });
        pools().taken[reinterpret_cast<std::uint64_t>(*result)] = {pool, bytes};
        pool->taken += bytes;
        pool->most = std::max(pool->most, pool->taken);
        return success;
    });
}

int give_in_capture(Device& gpu, Stream* stream, void* address) {
    constexpr int give_node = 11;  // cudaGraphNodeTypeMemFree
    const Allocation* known = gpu.memory.find(reinterpret_cast<std::uint64_t>(address));
    const std::uint64_t bytes = known == nullptr ? 0 : known->bytes;
    return gpu.submit(stream, give_node, [bytes](std::uint32_t) { return runtime::given_in_graph(bytes); });
}

// Memory that nodes of graphs took: used and reserved, now and at most (cudaGraphMemAttributeType), in blocks of 32 MiB. On an
// H200 what they give back stays used until it is trimmed (validation/h200/mini-programs, footprints).
struct GraphMemory {
    enum Attribute : int { used_now, used_most, reserved_now, reserved_most };
    std::uint64_t values[4] = {}, taken = 0;
    static std::uint64_t blocks(std::uint64_t bytes) {
        constexpr std::uint64_t block = 32 << 20;
        return (bytes + block - 1) / block * block;
    }
};

GraphMemory& graph_memory() {
    static GraphMemory all;
    return all;
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

STANDIN_API int cudaMallocAsync(void** result, std::size_t bytes, void* stream) {
    return take(result, bytes, pools().current, stream);
}
STANDIN_API int cudaMallocFromPoolAsync(void** result, std::size_t bytes, void* pool, void* stream) {
    return take(result, bytes, pool_of(pool), stream);
}
STANDIN_API int cudaFreeAsync(void* address, void* stream) {
    return call([&](Device& gpu) -> int {
        Stream* known = gpu.stream(stream);
        if (known == nullptr) return invalid_handle;
        if (known->capture) return give_in_capture(gpu, known, address);
        return gpu.release(address, false);
    });
}
void foretell::standin::runtime::given_back(std::uint64_t address) {
    const auto known = pools().taken.find(address);
    if (known == pools().taken.end()) return;
    known->second.first->taken -= known->second.second;
    pools().taken.erase(known);
}

int foretell::standin::runtime::taken_in_graph(std::uint64_t bytes) {
    GraphMemory& memory = graph_memory();
    memory.taken += bytes;
    for (std::uint64_t& value : memory.values) value = std::max(value, GraphMemory::blocks(memory.taken));
    return success;
}
int foretell::standin::runtime::given_in_graph(std::uint64_t bytes) {
    graph_memory().taken -= std::min(graph_memory().taken, bytes);
    return success;
}
STANDIN_API int cudaDeviceGraphMemTrim(int) {
    return call([](Device&) {
        auto& [values, taken] = graph_memory();
        values[GraphMemory::used_now] = values[GraphMemory::reserved_now] = GraphMemory::blocks(taken);
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaDeviceGetGraphMemAttribute(int, int attribute, void* value) {
    return call([&](Device&) -> int {
        if (value == nullptr || attribute < 0 || attribute > GraphMemory::reserved_most) return invalid_value;
        *static_cast<std::uint64_t*>(value) = graph_memory().values[attribute];
        return success;
    });
}
// What was at most is set back; the others cannot be set.
STANDIN_API int cudaDeviceSetGraphMemAttribute(int, int attribute, void* value) {
    return call([&](Device&) -> int {
        const bool is_most = attribute == GraphMemory::used_most || attribute == GraphMemory::reserved_most;
        if (value == nullptr || !is_most || *static_cast<std::uint64_t*>(value) != 0) return invalid_value;
        graph_memory().values[attribute] = graph_memory().values[attribute - 1];
        return success;
    });
}

STANDIN_API int cudaDeviceGetDefaultMemPool(void** pool, int) { return tell(pool, &pools().common); }
STANDIN_API int cudaDeviceGetMemPool(void** pool, int) { return tell(pool, pools().current); }
STANDIN_API int cudaMemGetDefaultMemPool(void** pool, const void*, int) { return tell(pool, &pools().common); }
STANDIN_API int cudaMemGetMemPool(void** pool, const void*, int) { return tell(pool, pools().current); }
STANDIN_API int cudaDeviceSetMemPool(int, void* pool) {
    return call([&](Device&) -> int {
        Pool* own = pool_of(pool);
        if (own == nullptr) return invalid_value;
        pools().current = own;
        return success;
    });
}
STANDIN_API int cudaMemSetMemPool(const void*, int, void* pool) { return cudaDeviceSetMemPool(0, pool); }
STANDIN_API int cudaMemPoolCreate(void** pool, const void*) {
    auto* made = new Pool;  // lives on, as memory may be given back to it
    pools().made.insert(made);
    return tell(pool, made);
}
STANDIN_API int cudaMemPoolDestroy(void* pool) {
    return call([&](Device&) -> int {
        auto* own = static_cast<Pool*>(pool);
        if (pools().made.erase(own) == 0) return invalid_value;
        if (pools().current == own) pools().current = &pools().common;
        return success;
    });
}
STANDIN_API int cudaMemPoolSetAttribute(void* pool, int attribute, void* value) {
    return call([&](Device&) -> int {
        Pool* own = pool_of(pool);
        if (own == nullptr || value == nullptr || attribute < 1 || attribute > Pool::used_most) return invalid_value;
        if (attribute < Pool::threshold) own->flags[attribute] = *static_cast<int*>(value);
        if (attribute == Pool::threshold) own->kept = *static_cast<std::uint64_t*>(value);
        if (attribute == Pool::reserved || attribute == Pool::used) return invalid_value;
        if (attribute > Pool::threshold) {  // what was at most is set back
            if (*static_cast<std::uint64_t*>(value) != 0) return invalid_value;
            own->most = own->taken;
        }
        return success;
    });
}
STANDIN_API int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
    return call([&](Device&) -> int {
        const Pool* own = pool_of(pool);
        if (own == nullptr || value == nullptr || attribute < 1 || attribute > Pool::used_most) return invalid_value;
        const bool is_flag = attribute < Pool::threshold,
                   is_now = attribute == Pool::reserved || attribute == Pool::used;
        if (is_flag) *static_cast<int*>(value) = own->flags[attribute];
        else
            *static_cast<std::uint64_t*>(value) = attribute == Pool::threshold ? own->kept
                                                  : is_now                     ? own->taken
                                                                               : own->most;
        return success;
    });
}
STANDIN_API int cudaMemPoolSetAccess(void*, const void*, std::size_t) { return as_told(); }
STANDIN_API int cudaMemPoolGetAccess(int* flags, void*, const void*) {
    return call([&](Device&) {
        *flags = 3;  // read and write
        return static_cast<int>(success);
    });
}
STANDIN_API int cudaMemPoolTrimTo(void*, std::size_t) { return as_told(); }
