// Memory of the runtime: allocation, copies, sets, symbols.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "standin/runtime/arrays.hpp"
#include "standin/runtime/copies.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace {

constexpr std::size_t pitch_alignment = 512;
constexpr int peer_refused = invalid_device;

struct PointerAttributes {
    int kind, device;
    void *on_device, *on_host;
    long reserved[8];
};

// Pages of the program that it registered, and that kernels use: they are moved to pages of the simulated device, which
// then have two addresses.
struct SharedPages {
    std::uint64_t begin = 0, bytes = 0, device = 0;

    int share(Device& gpu, const Allocation& registered) {
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        begin = registered.address / page * page;
        bytes = (registered.address + registered.bytes + page - 1) / page * page - begin;
        void* placed = nullptr;
        if (const int error = gpu.allocate(&placed, bytes + page, Space::host); error != success) return error;
        device = reinterpret_cast<std::uint64_t>(placed);
        const std::uint64_t first = (device + page - 1) / page * page;
        std::memcpy(reinterpret_cast<void*>(first), reinterpret_cast<void*>(begin), bytes);
        void* wanted = reinterpret_cast<void*>(begin);
        const int how = MREMAP_MAYMOVE | MREMAP_FIXED;  // of no bytes: the pages stay where they are, too
        if (mremap(reinterpret_cast<void*>(first), 0, bytes, how, wanted) != wanted) return out_of_memory;
        offset_ = first - device;
        return success;
    }
    // The program keeps its bytes in pages of its own: nothing is allocated meanwhile, as its heap may be in these pages.
    bool give_back() const {
        void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED) return false;
        void* wanted = reinterpret_cast<void*>(begin);
        std::memcpy(made, wanted, bytes);
        return mremap(made, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, wanted) == wanted;
    }
    // Where the device sees an address.
    std::uint64_t seen(std::uint64_t address) const { return device + offset_ + (address - begin); }

private:
    std::uint64_t offset_ = 0;
};

std::map<std::uint64_t, SharedPages>& shared_pages() {
    static auto* all = new std::map<std::uint64_t, SharedPages>;
    return *all;
}

char* moved(const PitchedPointer& pointer, const Position& by, std::size_t plane) {
    return static_cast<char*>(pointer.address) + by.x + (by.y + (by.z + plane) * pointer.height) * pointer.pitch;
}

// An array in the place of memory: positions in it, and the width where an array takes part, are in elements.
bool take_array(Copy3D& how, void* handle, PitchedPointer& pointer, Position& position) {
    if (handle == nullptr) return true;
    const Array* own = array_of(handle);
    if (own == nullptr) return false;
    pointer = {own->address, own->pitch, own->width, own->rows()};
    position.x *= own->format.bytes();
    const bool is_first = handle == how.from_array || how.from_array == nullptr;
    if (is_first) how.extent.width *= own->format.bytes();
    return true;
}

int copy_3d(const Copy3D* how, void* stream, bool asynchronous) {
    if (how == nullptr) return invalid_value;
    return call([&](Device& gpu) { return copied(gpu, *how, gpu.stream(stream), asynchronous); });
}

struct PeerCopy3D {  // cudaMemcpy3DPeerParms
    void* from_array;
    Position from_position;
    PitchedPointer from;
    int from_device;
    void* to_array;
    Position to_position;
    PitchedPointer to;
    int to_device;
    Extent extent;
};
int copy_peers(const PeerCopy3D* how, void* stream, bool asynchronous) {
    if (how == nullptr) return invalid_value;
    if (how->from_device != 0 || how->to_device != 0) return peer_refused;
    constexpr int any_direction = 4;
    const Copy3D own{how->from_array, how->from_position, how->from,    how->to_array, how->to_position,
                     how->to,         how->extent,        any_direction};
    return copy_3d(&own, stream, asynchronous);
}

int copy_symbol(const void* host, void* other, std::size_t bytes, std::size_t offset, int direction, bool to_symbol,
                void* stream, bool asynchronous) {
    return call([&](Device& gpu) -> int {
        Variable known;
        if (const int error = symbol(gpu, host, known); error != success) return error;
        if (offset > known.bytes || bytes > known.bytes - offset) return invalid_value;
        auto* at = reinterpret_cast<char*>(known.address + offset);
        return to_symbol ? gpu.copy(at, other, bytes, direction, gpu.stream(stream), asynchronous)
                         : gpu.copy(other, at, bytes, direction, gpu.stream(stream), asynchronous);
    });
}

}  // namespace

int foretell::standin::runtime::copied(Device& gpu, const Copy3D& how, Stream* stream, bool asynchronous) {
    Copy3D own = how;
    if (!take_array(own, own.from_array, own.from, own.from_position) ||
        !take_array(own, own.to_array, own.to, own.to_position))
        return invalid_value;
    int error = success;
    for (std::size_t plane = 0; plane < own.extent.depth && error == success; ++plane)
        error = gpu.copy_rows(moved(own.to, own.to_position, plane), own.to.pitch,
                              moved(own.from, own.from_position, plane), own.from.pitch, own.extent.width,
                              own.extent.height, own.direction, stream, asynchronous);
    return error;
}

// ------------------------------------------------------------------------------------------ allocation

STANDIN_API int cudaMalloc(void** result, std::size_t bytes) {
    return call([&](Device& gpu) { return gpu.allocate(result, bytes, Space::device); });
}
STANDIN_API int cudaMallocManaged(void** result, std::size_t bytes, unsigned flags) {
    if (bytes == 0) return invalid_value;
    return call([&](Device& gpu) { return gpu.allocate(result, bytes, Space::managed, flags); });
}
STANDIN_API int cudaHostAlloc(void** result, std::size_t bytes, unsigned flags) {
    return call([&](Device& gpu) { return gpu.allocate(result, bytes, Space::host, flags); });
}
STANDIN_API int cudaMallocHost(void** result, std::size_t bytes) { return cudaHostAlloc(result, bytes, 0); }
STANDIN_API int cudaMallocPitch(void** result, std::size_t* pitch, std::size_t width, std::size_t height) {
    if (pitch == nullptr) return invalid_value;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return cudaMalloc(result, *pitch * height);
}
STANDIN_API int cudaMalloc3D(PitchedPointer* result, Extent extent) {
    if (result == nullptr) return invalid_value;
    *result = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&result->address, &result->pitch, extent.width, extent.height * extent.depth);
}
// Frees wait for the device, as CUDA's do.
STANDIN_API int cudaFree(void* address) {
    return call([&](Device& gpu) {
        const int error =
            address == nullptr ? static_cast<int>(success) : gpu.synchronise(static_cast<Stream*>(nullptr));
        return error != success ? error : gpu.release(address, false);
    });
}
STANDIN_API int cudaFreeHost(void* address) {
    return call([&](Device& gpu) { return gpu.release(address, true); });
}
STANDIN_API int cudaHostRegister(void* address, std::size_t bytes, unsigned flags) {
    return call([&](Device& gpu) {
        return gpu.memory.pin(reinterpret_cast<std::uint64_t>(address), bytes, flags) ? 0 : 712;  // already registered
    });
}
STANDIN_API int cudaHostUnregister(void* address) {
    return call([&](Device& gpu) -> int {
        constexpr int not_registered = 713;
        const auto number = reinterpret_cast<std::uint64_t>(address);
        if (!gpu.memory.unpin(number)) return not_registered;
        if (const auto known = shared_pages().find(number); known != shared_pages().end()) {
            const bool own = known->second.give_back();
            void* placed = reinterpret_cast<void*>(known->second.device);
            shared_pages().erase(known);
            if (const int error = gpu.release(placed, true); error != success) return error;
            if (!own) return out_of_memory;
        }
        return success;
    });
}
STANDIN_API int cudaHostGetDevicePointer(void** result, void* host, unsigned) {
    return call([&](Device& gpu) -> int {
        const auto address = reinterpret_cast<std::uint64_t>(host);
        const Allocation* known = gpu.memory.find(address);
        if (known == nullptr || known->space != Space::host) return invalid_value;
        if (gpu.memory.inside(address)) {
            *result = host;
            return success;
        }
        auto known_pages = shared_pages().find(known->address);
        if (known_pages == shared_pages().end()) {
            SharedPages made;
            if (const int error = made.share(gpu, *known); error != success) return error;
            known_pages = shared_pages().emplace(known->address, made).first;
        }
        const SharedPages& pages = known_pages->second;
        *result = reinterpret_cast<void*>(pages.seen(address));
        return success;
    });
}
STANDIN_API int cudaHostGetFlags(unsigned* flags, void* host) {
    return call([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(reinterpret_cast<std::uint64_t>(host));
        if (known == nullptr || known->space != Space::host) return invalid_value;
        *flags = known->flags;
        return success;
    });
}
STANDIN_API int cudaPointerGetAttributes(PointerAttributes* result, const void* address) {
    return call([&](Device& gpu) -> int {
        const Allocation* known = gpu.memory.find(reinterpret_cast<std::uint64_t>(address));
        auto* pointer = const_cast<void*>(address);
        *result = {};
        result->device = known == nullptr ? -2 : 0;
        result->on_host = pointer;
        if (known == nullptr) return success;
        result->kind = static_cast<int>(known->space == Space::module ? Space::device : known->space);
        result->on_device = pointer;
        if (result->kind == static_cast<int>(Space::device)) result->on_host = nullptr;
        return success;
    });
}
STANDIN_API int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call([&](Device& gpu) {
        *total = gpu.memory.device_bytes();
        *free = gpu.memory.device_bytes() - gpu.memory.used();
        return static_cast<int>(success);
    });
}

// ------------------------------------------------------------------------------------------ copies and sets

STANDIN_API int cudaMemcpy(void* to, const void* from, std::size_t bytes, int direction) {
    return call([&](Device& gpu) { return gpu.copy(to, from, bytes, direction, gpu.stream(nullptr), false); });
}
STANDIN_API int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int direction, void* stream) {
    return call([&](Device& gpu) { return gpu.copy(to, from, bytes, direction, gpu.stream(stream), true); });
}
STANDIN_API int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                             std::size_t width, std::size_t height, int direction) {
    return call([&](Device& gpu) {
        return gpu.copy_rows(to, to_pitch, from, from_pitch, width, height, direction, gpu.stream(nullptr), false);
    });
}
STANDIN_API int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                  std::size_t width, std::size_t height, int direction, void* stream) {
    return call([&](Device& gpu) {
        return gpu.copy_rows(to, to_pitch, from, from_pitch, width, height, direction, gpu.stream(stream), true);
    });
}
STANDIN_API int cudaMemcpy3D(const Copy3D* how) { return copy_3d(how, nullptr, false); }
STANDIN_API int cudaMemcpy3DAsync(const Copy3D* how, void* stream) { return copy_3d(how, stream, true); }
STANDIN_API int cudaMemcpyPeer(void* to, int device_to, const void* from, int device_from, std::size_t bytes) {
    return device_to == 0 && device_from == 0 ? cudaMemcpy(to, from, bytes, 3) : peer_refused;
}
STANDIN_API int cudaMemcpyPeerAsync(void* to, int device_to, const void* from, int device_from, std::size_t bytes,
                                    void* stream) {
    return device_to == 0 && device_from == 0 ? cudaMemcpyAsync(to, from, bytes, 3, stream) : peer_refused;
}
STANDIN_API int cudaMemcpy3DPeer(const PeerCopy3D* how) { return copy_peers(how, nullptr, false); }
STANDIN_API int cudaMemcpy3DPeerAsync(const PeerCopy3D* how, void* stream) { return copy_peers(how, stream, true); }
STANDIN_API int cudaMemset(void* to, int value, std::size_t bytes) {
    return call([&](Device& gpu) {
        return gpu.set_rows(to, bytes, static_cast<unsigned>(value), 1, bytes, 1, gpu.stream(nullptr), false);
    });
}
STANDIN_API int cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
    return call([&](Device& gpu) {
        return gpu.set_rows(to, bytes, static_cast<unsigned>(value), 1, bytes, 1, gpu.stream(stream), true);
    });
}
STANDIN_API int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return call([&](Device& gpu) {
        return gpu.set_rows(to, pitch, static_cast<unsigned>(value), 1, width, height, gpu.stream(nullptr), false);
    });
}
STANDIN_API int cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                  void* stream) {
    return call([&](Device& gpu) {
        return gpu.set_rows(to, pitch, static_cast<unsigned>(value), 1, width, height, gpu.stream(stream), true);
    });
}
// Planes lie as many rows apart as the memory is high, of which fewer may be set.
STANDIN_API int cudaMemset3DAsync(PitchedPointer to, int value, Extent extent, void* stream) {
    int error = success;
    for (std::size_t plane = 0; plane < extent.depth && error == success; ++plane)
        error = cudaMemset2DAsync(moved(to, {}, plane), to.pitch, value, extent.width, extent.height, stream);
    return error;
}
STANDIN_API int cudaMemset3D(PitchedPointer to, int value, Extent extent) {
    return cudaMemset3DAsync(to, value, extent, nullptr);
}

// ------------------------------------------------------------------------------------------ symbols

STANDIN_API int cudaMemcpyToSymbol(const void* host, const void* from, std::size_t bytes, std::size_t offset,
                                   int direction) {
    return copy_symbol(host, const_cast<void*>(from), bytes, offset, direction, true, nullptr, false);
}
STANDIN_API int cudaMemcpyToSymbolAsync(const void* host, const void* from, std::size_t bytes, std::size_t offset,
                                        int direction, void* stream) {
    return copy_symbol(host, const_cast<void*>(from), bytes, offset, direction, true, stream, true);
}
STANDIN_API int cudaMemcpyFromSymbol(void* to, const void* host, std::size_t bytes, std::size_t offset, int direction) {
    return copy_symbol(host, to, bytes, offset, direction, false, nullptr, false);
}
STANDIN_API int cudaMemcpyFromSymbolAsync(void* to, const void* host, std::size_t bytes, std::size_t offset,
                                          int direction, void* stream) {
    return copy_symbol(host, to, bytes, offset, direction, false, stream, true);
}
STANDIN_API int cudaGetSymbolAddress(void** result, const void* host) {
    return call([&](Device& gpu) {
        Variable known;
        const int error = symbol(gpu, host, known);
        if (error == success) *result = reinterpret_cast<void*>(known.address);
        return error;
    });
}
STANDIN_API int cudaGetSymbolSize(std::size_t* result, const void* host) {
    return call([&](Device& gpu) {
        Variable known;
        const int error = symbol(gpu, host, known);
        if (error == success) *result = known.bytes;
        return error;
    });
}
