// Addresses and physical memory apart (cuMemAddressReserve, cuMemCreate, cuMemMap). Memory is where its addresses are: what a
// handle holds is kept while it is not mapped, and a handle can be mapped to one place at a time.
#include <algorithm>
#include <cstring>
#include <memory>

#include "standin/device.hpp"

using namespace foretell::standin;

namespace {

using Address = unsigned long long;

constexpr std::size_t granularity = 2 << 20;

struct Location {
    int type, id;
};

// CUmemAllocationProp
struct Properties {
    int type, handle_types;
    Location location;
    void* security;
    unsigned char flags[8];
};

struct Physical {
    std::size_t bytes = 0;
    Properties properties{};
    Address mapped = 0;
    int references = 1;
    std::string kept;
};

// Handles that are released live on until their memory is unmapped.
std::map<std::uint64_t, Physical>& handles() {
    static std::map<std::uint64_t, Physical> all;
    return all;
}

Physical* known(std::uint64_t handle) {
    const auto at = handles().find(handle);
    return at == handles().end() ? nullptr : &at->second;
}

bool is_whole(std::size_t bytes) { return bytes != 0 && bytes % granularity == 0; }

template <class Body>
int quietly(Body&& body) {
    return call(std::forward<Body>(body), false);
}

void tell(Device& gpu, Operation what, Address address, std::size_t bytes) {
    Writer message;
    message.put(static_cast<std::uint64_t>(address));
    if (what == Operation::allocate)
        message.put(static_cast<std::uint64_t>(bytes)).put(static_cast<std::uint32_t>(Space::device));
    gpu.channel.tell(what, message);
}

}  // namespace

STANDIN_API int cuMemGetAllocationGranularity(std::size_t* result, const Properties*, int) {
    *result = granularity;
    return success;
}
STANDIN_API int cuMemAddressReserve(Address* result, std::size_t bytes, std::size_t alignment, Address,
                                    unsigned long long) {
    if (!is_whole(bytes) || (alignment & (alignment - 1)) != 0) return invalid_value;
    return quietly([&](Device& gpu) -> int {
        *result = gpu.memory.reserve(bytes, std::max(alignment, granularity));
        return *result == 0 ? out_of_memory : success;
    });
}
STANDIN_API int cuMemAddressFree(Address address, std::size_t bytes) {
    return quietly([&](Device& gpu) { return gpu.memory.unreserve(address, bytes) ? success : invalid_value; });
}
STANDIN_API int cuMemCreate(std::uint64_t* handle, std::size_t bytes, const Properties* how, unsigned long long) {
    if (!is_whole(bytes)) return invalid_value;
    return quietly([&](Device& gpu) -> int {
        if (!gpu.memory.take(bytes)) return out_of_memory;
        static std::uint64_t last = 0;
        Physical& made = handles()[*handle = ++last];
        made.bytes = bytes;
        made.properties = *how;
        return success;
    });
}
STANDIN_API int cuMemMap(Address address, std::size_t bytes, std::size_t offset, std::uint64_t handle,
                         unsigned long long) {
    return quietly([&](Device& gpu) -> int {
        Physical* physical = known(handle);
        if (physical == nullptr || offset != 0 || bytes != physical->bytes) return invalid_value;
        if (physical->mapped != 0) missing("cuMemMap of memory that is mapped elsewhere");
        if (!gpu.memory.place(address, bytes)) return invalid_value;
        physical->mapped = address;
        tell(gpu, Operation::allocate, address, bytes);
        memcpy(reinterpret_cast<void*>(address), physical->kept.data(), physical->kept.size());
        physical->kept.clear();
        return success;
    });
}
STANDIN_API int cuMemSetAccess(Address, std::size_t, const void*, std::size_t) { return success; }
STANDIN_API int cuMemGetAccess(unsigned long long* flags, const Location*, Address) {
    *flags = 3;  // read and write
    return success;
}

namespace {

// Unmaps one handle; what it holds is kept if the program still has it.
void unmap(Device& gpu, std::map<std::uint64_t, Physical>::iterator at) {
    Physical& physical = at->second;
    if (physical.references > 0) physical.kept.assign(reinterpret_cast<const char*>(physical.mapped), physical.bytes);
    tell(gpu, Operation::release, physical.mapped, physical.bytes);
    gpu.memory.displace(physical.mapped);
    physical.mapped = 0;
    if (physical.references > 0) return;
    gpu.memory.give(physical.bytes);
    handles().erase(at);
}

}  // namespace

STANDIN_API int cuMemUnmap(Address address, std::size_t bytes) {
    return quietly([&](Device& gpu) -> int {
        bool found = false;
        for (auto at = handles().begin(); at != handles().end();) {
            const auto own = at++;
            const Physical& physical = own->second;
            if (physical.mapped < address || physical.mapped + physical.bytes > address + bytes) continue;
            found = true;
            unmap(gpu, own);
        }
        return found ? success : invalid_value;
    });
}
STANDIN_API int cuMemRelease(std::uint64_t handle) {
    return quietly([&](Device& gpu) -> int {
        const auto at = handles().find(handle);
        if (at == handles().end() || at->second.references == 0) return invalid_value;
        if (--at->second.references > 0 || at->second.mapped != 0) return success;
        gpu.memory.give(at->second.bytes);
        handles().erase(at);
        return success;
    });
}
STANDIN_API int cuMemRetainAllocationHandle(std::uint64_t* handle, void* address) {
    return quietly([&](Device&) -> int {
        const auto wanted = reinterpret_cast<Address>(address);
        for (auto& [number, physical] : handles())
            if (physical.mapped != 0 && wanted >= physical.mapped && wanted < physical.mapped + physical.bytes) {
                ++physical.references;
                *handle = number;
                return success;
            }
        return invalid_value;
    });
}
STANDIN_API int cuMemGetAllocationPropertiesFromHandle(Properties* result, std::uint64_t handle) {
    const Physical* physical = known(handle);
    if (physical == nullptr) return invalid_value;
    *result = physical->properties;
    return success;
}
STANDIN_API int cuMemExportToShareableHandle(void*, std::uint64_t, int, unsigned long long) { return not_supported; }
