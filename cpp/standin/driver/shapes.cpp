// Copies and sets of rows and boxes, arrays, textures and surfaces of the driver interface.
#include "standin/runtime/arrays.hpp"
#include "standin/runtime/copies.hpp"
#include "standin/runtime/graphs/graphs.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell::standin;
using namespace foretell::standin::runtime;

extern "C" int cudaMalloc3DArray(void** result, const Format* format, Size size, unsigned flags);
extern "C" int cudaFreeArray(void* handle);
extern "C" int cudaCreateTextureObject(std::uint64_t* result, const Resource*, const Sampling*, const void* view);
extern "C" int cudaCreateSurfaceObject(std::uint64_t* result, const Resource*);
extern "C" int cudaDestroyTextureObject(std::uint64_t handle);
extern "C" int cudaDestroySurfaceObject(std::uint64_t handle);

namespace {

using Address = unsigned long long;
enum MemoryKind : int { of_host = 1, of_device = 2, of_an_array = 3, of_unified = 4 };

struct Rows {  // one side of CUDA_MEMCPY2D
    std::size_t x, y;
    int kind;
    void* host;
    Address device;
    void* array;
    std::size_t pitch;
};
struct Copy2D {
    Rows from, to;
    std::size_t width, height;
};
struct Box {  // one side of CUDA_MEMCPY3D
    std::size_t x, y, z, level;
    int kind;
    void* host;
    Address device;
    void *array, *reserved;
    std::size_t pitch, height;
};
struct CopyBox {
    Box from, to;
    std::size_t width, height, depth;
};

// Where a side begins, and its pitches; false for an array that is not known.
struct Side {
    char* address;
    std::size_t pitch, rows;
};
bool take_side(const Box& own, Side& to) {
    to = {nullptr, own.pitch, own.height};
    if (own.kind == of_an_array) {
        const Array* array = array_of(own.array);
        if (array == nullptr) return false;
        to = {array->address, array->pitch, array->rows()};
    } else {
        to.address = own.kind == of_host ? static_cast<char*>(own.host) : reinterpret_cast<char*>(own.device);
    }
    to.address += own.x + (own.y + own.z * to.rows) * to.pitch;
    return true;
}

int submit(Device& gpu, const CopyBox& how, Stream* stream, bool asynchronous) {
    Side to, from;
    if (!take_side(how.to, to) || !take_side(how.from, from)) return invalid_value;
    const bool single = how.height <= 1 && how.depth <= 1;
    if (single) to.pitch = std::max(to.pitch, how.width), from.pitch = std::max(from.pitch, how.width);
    int error = success;
    for (std::size_t plane = 0; plane < how.depth && error == success; ++plane)
        error = gpu.copy_rows(to.address + plane * to.rows * to.pitch, to.pitch,
                              from.address + plane * from.rows * from.pitch, from.pitch, how.width, how.height, 4,
                              stream, asynchronous);
    return error;
}

int copy_box(const CopyBox& how, void* stream, bool asynchronous) {
    return call([&](Device& gpu) { return submit(gpu, how, gpu.stream(stream), asynchronous); }, false);
}

// Bytes of the first row of an array from an offset on, to or from memory.
Box in_array(void* array, std::size_t offset) {
    return {offset, 0, 0, 0, of_an_array, nullptr, 0, array, nullptr, 0, 0};
}
Box in_host(const void* host) { return {0, 0, 0, 0, of_host, const_cast<void*>(host), 0, nullptr, nullptr, 0, 0}; }
Box in_device(Address device) { return {0, 0, 0, 0, of_device, nullptr, device, nullptr, nullptr, 0, 0}; }
int copy_line(const Box& to, const Box& from, std::size_t bytes, void* stream, bool asynchronous) {
    return copy_box({from, to, bytes, 1, 1}, stream, asynchronous);
}

Box as_box(const Rows& own) {
    return {own.x, own.y, 0, 0, own.kind, own.host, own.device, own.array, nullptr, own.pitch, 0};
}

int copy_rows(const Copy2D* how, void* stream, bool asynchronous) {
    if (how == nullptr) return invalid_value;
    return copy_box({as_box(how->from), as_box(how->to), how->width, how->height, 1}, stream, asynchronous);
}

int set_rows(Address to, std::size_t pitch, unsigned value, unsigned element, std::size_t width, std::size_t height,
             void* stream, bool asynchronous) {
    return call(
        [&](Device& gpu) {
            return gpu.set_rows(reinterpret_cast<void*>(to), std::max(pitch, width * element), value, element, width,
                                height, gpu.stream(stream), asynchronous);
        },
        false);
}

// CUarray_format: bits and kind of a channel; false for formats of graphics.
bool take_format(int format, unsigned channels, Format& to) {
    to = {};
    const int kind = format == 0x10 || format == 0x20 ? 2 : format >= 8 ? 0 : 1;
    const int bits = format == 0x20 ? 32 : format == 0x10 ? 16 : 8 << ((format & 7) - (format >= 8 ? 0 : 1));
    const bool known = (format >= 1 && format <= 3) || (format >= 8 && format <= 10) || kind == 2;
    for (unsigned k = 0; k < channels && k < 4; ++k) to.bits[k] = bits;
    to.kind = kind;
    return known && to.is_known();
}

struct Resource2 {  // CUDA_RESOURCE_DESC
    int kind;
    union {
        void* array;
        struct {
            Address address;
            int format;
            unsigned channels;
            std::size_t width, height, pitch;  // of a line: `width` is its bytes
        } memory;
        int reserved[32];
    };
    unsigned flags;
};
struct Sampling2 {  // CUDA_TEXTURE_DESC
    int modes[3], filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float bias, lowest, highest, border[4];
    int reserved[12];
};
constexpr unsigned reads_integers = 1, normalized_coordinates = 2, srgb = 0x10;

int take_resource(const Resource2* from, Resource& to) {
    if (from == nullptr) return invalid_value;
    to = {};
    to.kind = from->kind;
    if (from->kind == of_array || from->kind == of_mipmaps) {
        to.array = from->array;
        return success;
    }
    to.memory.address = reinterpret_cast<void*>(from->memory.address);
    to.memory.width = from->memory.width;
    to.memory.height = from->memory.height;
    to.memory.pitch = from->memory.pitch;
    const bool known = take_format(from->memory.format, from->memory.channels, to.memory.format);
    return known ? success : invalid_value;
}

struct ArrayShape {  // CUDA_ARRAY_DESCRIPTOR
    std::size_t width, height;
    int format;
    unsigned channels;
};
struct ArrayShape3D {  // CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

}  // namespace

STANDIN_API int cuMemcpy2D_v2(const Copy2D* how) { return copy_rows(how, nullptr, false); }
STANDIN_API int cuMemcpy2DUnaligned_v2(const Copy2D* how) { return copy_rows(how, nullptr, false); }
STANDIN_API int cuMemcpy2DAsync_v2(const Copy2D* how, void* stream) { return copy_rows(how, stream, true); }
STANDIN_API int cuMemcpy3D_v2(const CopyBox* how) {
    return how == nullptr ? static_cast<int>(invalid_value) : copy_box(*how, nullptr, false);
}
STANDIN_API int cuMemcpy3DAsync_v2(const CopyBox* how, void* stream) {
    return how == nullptr ? static_cast<int>(invalid_value) : copy_box(*how, stream, true);
}

#define SETS(BITS, TYPE)                                                                                            \
    STANDIN_API int cuMemsetD2D##BITS##_v2(Address to, std::size_t pitch, TYPE value, std::size_t width,            \
                                           std::size_t height) {                                                    \
        return set_rows(to, pitch, value, BITS / 8, width, height, nullptr, false);                                 \
    }                                                                                                               \
    STANDIN_API int cuMemsetD2D##BITS##Async(Address to, std::size_t pitch, TYPE value, std::size_t width,          \
                                             std::size_t height, void* stream) {                                    \
        return set_rows(to, pitch, value, BITS / 8, width, height, stream, true);                                   \
    }
SETS(8, unsigned char)
SETS(16, unsigned short)
SETS(32, unsigned)

STANDIN_API int cuArray3DCreate_v2(void** result, const ArrayShape3D* how) {
    Format format;
    if (how == nullptr || !take_format(how->format, how->channels, format)) return invalid_value;
    return cudaMalloc3DArray(result, &format, {how->width, how->height, how->depth}, how->flags);
}
STANDIN_API int cuArrayCreate_v2(void** result, const ArrayShape* how) {
    if (how == nullptr) return invalid_value;
    const ArrayShape3D whole{how->width, how->height, 0, how->format, how->channels, 0};
    return cuArray3DCreate_v2(result, &whole);
}
STANDIN_API int cuArray3DGetDescriptor_v2(ArrayShape3D* result, void* handle) {
    const Array* own = array_of(handle);
    if (result == nullptr || own == nullptr) return invalid_value;
    const int width = own->format.bits[0] == 8 ? 0 : own->format.bits[0] == 16 ? 1 : 2;
    constexpr int formats[3][3] = {{8, 9, 10}, {1, 2, 3}, {0, 0x10, 0x20}};  // signed, unsigned, floating point
    const auto channels = static_cast<unsigned>(own->format.channels());
    *result = {own->width, own->height, own->depth, formats[own->format.kind][width], channels, 0};
    return success;
}
STANDIN_API int cuArrayGetDescriptor_v2(ArrayShape* result, void* handle) {
    ArrayShape3D whole;
    if (result == nullptr) return invalid_value;
    if (const int error = cuArray3DGetDescriptor_v2(&whole, handle); error != success) return error;
    *result = {whole.width, whole.height, whole.format, whole.channels};
    return success;
}
STANDIN_API int cuMemcpyHtoA_v2(void* array, std::size_t offset, const void* host, std::size_t bytes) {
    return copy_line(in_array(array, offset), in_host(host), bytes, nullptr, false);
}
STANDIN_API int cuMemcpyHtoAAsync_v2(void* array, std::size_t offset, const void* host, std::size_t bytes,
                                     void* stream) {
    return copy_line(in_array(array, offset), in_host(host), bytes, stream, true);
}
STANDIN_API int cuMemcpyAtoH_v2(void* host, void* array, std::size_t offset, std::size_t bytes) {
    return copy_line(in_host(host), in_array(array, offset), bytes, nullptr, false);
}
STANDIN_API int cuMemcpyAtoHAsync_v2(void* host, void* array, std::size_t offset, std::size_t bytes, void* stream) {
    return copy_line(in_host(host), in_array(array, offset), bytes, stream, true);
}
STANDIN_API int cuMemcpyDtoA_v2(void* array, std::size_t offset, Address device, std::size_t bytes) {
    return copy_line(in_array(array, offset), in_device(device), bytes, nullptr, false);
}
STANDIN_API int cuMemcpyAtoD_v2(Address device, void* array, std::size_t offset, std::size_t bytes) {
    return copy_line(in_device(device), in_array(array, offset), bytes, nullptr, false);
}
STANDIN_API int cuMemcpyPeer(Address to, void*, Address from, void*, std::size_t bytes) {
    return copy_line(in_device(to), in_device(from), bytes, nullptr, false);
}
STANDIN_API int cuMemcpyPeerAsync(Address to, void*, Address from, void*, std::size_t bytes, void* stream) {
    return copy_line(in_device(to), in_device(from), bytes, stream, true);
}
STANDIN_API int cuGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                                     const CopyBox* how, void*) {
    if (how == nullptr) return invalid_value;
    return add_node(node, graph, after, count,
                    [&](Device& gpu, Stream* writer) { return submit(gpu, *how, writer, true); });
}
STANDIN_API int cuArrayDestroy(void* handle) { return cudaFreeArray(handle); }
STANDIN_API int cuTexObjectCreate(std::uint64_t* result, const Resource2* resource, const Sampling2* how,
                                  const void* view) {
    Resource own;
    if (how == nullptr) return invalid_value;
    if (const int error = take_resource(resource, own); error != success) return error;
    Sampling sampling{};
    std::copy_n(how->modes, 3, sampling.modes);
    std::copy_n(how->border, 4, sampling.border);
    sampling.filter = how->filter;
    sampling.reads_fractions = (how->flags & reads_integers) == 0;
    sampling.normalized = (how->flags & normalized_coordinates) != 0;
    sampling.srgb = (how->flags & srgb) != 0;
    return cudaCreateTextureObject(result, &own, &sampling, view);
}
STANDIN_API int cuTexObjectDestroy(std::uint64_t handle) { return cudaDestroyTextureObject(handle); }
STANDIN_API int cuSurfObjectCreate(std::uint64_t* result, const Resource2* resource) {
    Resource own;
    const int error = take_resource(resource, own);
    return error == success ? cudaCreateSurfaceObject(result, &own) : error;
}
STANDIN_API int cuSurfObjectDestroy(std::uint64_t handle) { return cudaDestroySurfaceObject(handle); }
