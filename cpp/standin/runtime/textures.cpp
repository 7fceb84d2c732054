// Arrays, textures and surfaces of the runtime.
#include <cstring>
#include <map>
#include <memory>

#include "gpu/texture.hpp"
#include "standin/runtime/arrays.hpp"
#include "standin/runtime/registered.hpp"

using namespace foretell;
using namespace foretell::standin;
using namespace foretell::standin::runtime;

namespace foretell::standin::runtime {
namespace {

std::map<void*, std::unique_ptr<Array>>& arrays() {
    static std::map<void*, std::unique_ptr<Array>> live;
    return live;
}

}  // namespace

bool Format::is_known() const {
    const std::size_t count = channels();
    for (std::size_t k = 0; k < count; ++k)
        if (bits[k] != bits[0]) return false;
    const bool width = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
    return width && kind >= 0 && kind <= 2 && (count == 1 || count == 2 || count == 4) && (kind != 2 || bits[0] > 8);
}

Array* array_of(void* handle) {
    const auto known = arrays().find(handle);
    return known == arrays().end() ? nullptr : known->second.get();
}

}  // namespace foretell::standin::runtime

namespace {

constexpr std::size_t pitch_alignment = 512;

int make_array(void** result, const Format* format, const Size& size) {
    return call([&](Device& gpu) -> int {
        if (result == nullptr || format == nullptr || size.width == 0) return invalid_value;
        if (!format->is_known()) return invalid_format;
        auto made = std::make_unique<Array>();
        made->format = *format;
        made->width = size.width;
        made->height = size.height;
        made->depth = size.depth;
        made->pitch = (size.width * format->bytes() + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
        const std::size_t rows = made->rows() * (size.depth == 0 ? 1 : size.depth);
        void* address = nullptr;
        if (const int error = gpu.allocate(&address, made->pitch * rows, Space::device); error != success) return error;
        made->address = static_cast<char*>(address);
        *result = made.get();
        arrays()[*result] = std::move(made);
        return success;
    });
}

// Rows of an array from (x in bytes, y) on, to or from memory.
int copy_array(void* handle, std::size_t x, std::size_t y, void* other, std::size_t pitch, std::size_t width,
               std::size_t height, int direction, bool to_array, void* stream, bool asynchronous) {
    return call([&](Device& gpu) -> int {
        const Array* own = array_of(handle);
        if (own == nullptr || x + width > own->width * own->format.bytes() || y + height > own->rows())
            return invalid_value;
        char* inside = own->address + y * own->pitch + x;
        return to_array ? gpu.copy_rows(inside, own->pitch, other, pitch, width, height, direction, gpu.stream(stream),
                                        asynchronous)
                        : gpu.copy_rows(other, pitch, inside, own->pitch, width, height, direction, gpu.stream(stream),
                                        asynchronous);
    });
}

// Whole rows, one after the other, as old programs copy them.
int copy_line(void* handle, std::size_t x, std::size_t y, void* other, std::size_t bytes, int direction, bool to_array,
              void* stream, bool asynchronous) {
    const Array* own = array_of(handle);
    if (own == nullptr) return invalid_value;
    const std::size_t row = own->width * own->format.bytes();
    const bool whole = x == 0 && bytes % row == 0;
    const std::size_t width = whole ? row : bytes, height = whole ? bytes / row : 1;
    return copy_array(handle, x, y, other, width, width, height, direction, to_array, stream, asynchronous);
}

void take_format(TextureObject& to, const Format& format) {
    to.kind = format.kind == 2   ? TextureObject::real
              : format.kind == 0 ? TextureObject::signed_integer
                                 : TextureObject::unsigned_integer;
    to.bytes = static_cast<std::uint32_t>(format.bits[0] / 8);
    to.channels = static_cast<std::uint32_t>(format.channels());
}

// Where the elements lie; false where the description is wrong.
bool take_resource(TextureObject& to, const Resource& from) {
    if (from.kind == of_mipmaps) missing("textures of mipmapped arrays");
    if (from.kind == of_array) {
        const Array* own = array_of(from.array);
        if (own == nullptr) return false;
        take_format(to, own->format);
        to.address = reinterpret_cast<std::uint64_t>(own->address);
        to.width = static_cast<std::uint32_t>(own->width);
        to.height = static_cast<std::uint32_t>(own->height);
        to.depth = static_cast<std::uint32_t>(own->depth);
        to.pitch = own->pitch;
        to.slice = own->pitch * own->rows();
        return true;
    }
    if ((from.kind != of_line && from.kind != of_rows) || !from.memory.format.is_known()) return false;
    take_format(to, from.memory.format);
    to.address = reinterpret_cast<std::uint64_t>(from.memory.address);
    to.width = static_cast<std::uint32_t>(from.kind == of_line ? from.memory.width / from.memory.format.bytes()
                                                               : from.memory.width);
    to.height = from.kind == of_line ? 0 : static_cast<std::uint32_t>(from.memory.height);
    to.pitch = from.kind == of_line ? 0 : from.memory.pitch;
    return to.address != 0;
}

// What a program said of a texture or surface, which it may ask for.
struct Description {
    Resource resource;
    Sampling sampling;
};
std::map<std::uint64_t, Description>& descriptions() {
    static std::map<std::uint64_t, Description> live;
    return live;
}
template <class Part>
int told_of(std::uint64_t handle, Part Description::* part, Part* result) {
    return call([&](Device&) -> int {
        const auto known = descriptions().find(handle);
        if (known == descriptions().end() || result == nullptr) return invalid_value;
        *result = known->second.*part;
        return success;
    });
}

// Writes the object into device memory; its handle is the address.
int make_object(std::uint64_t* result, const TextureObject& object, const Description& description) {
    return call([&](Device& gpu) -> int {
        void* address = nullptr;
        if (const int error = gpu.allocate(&address, sizeof object, Space::device); error != success) return error;
        std::memcpy(address, &object, sizeof object);
        *result = reinterpret_cast<std::uint64_t>(address);
        descriptions()[*result] = description;
        return success;
    });
}

int drop_object(std::uint64_t handle) {
    return call([&](Device& gpu) -> int {
        void* address = reinterpret_cast<void*>(handle);
        const Allocation* known = gpu.memory.find(handle);
        if (known == nullptr || known->address != handle) return handle == 0 ? success : invalid_value;
        if (const int error = gpu.synchronise(static_cast<Stream*>(nullptr)); error != success) return error;
        std::memset(address, 0, sizeof(TextureObject));
        descriptions().erase(handle);
        return gpu.release(address, false);
    });
}

}  // namespace

STANDIN_API Format cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {{x, y, z, w}, kind}; }

STANDIN_API int cudaMallocArray(void** result, const Format* format, std::size_t width, std::size_t height, unsigned) {
    return make_array(result, format, {width, height, 0});
}
STANDIN_API int cudaMalloc3DArray(void** result, const Format* format, Size size, unsigned flags) {
    const bool is_cube = (flags & 4) != 0;
    if (is_cube && (size.width != size.height || size.depth == 0 || size.depth % 6 != 0)) return invalid_value;
    return make_array(result, format, size);
}
STANDIN_API int cudaFreeArray(void* handle) {
    if (handle == nullptr) return success;
    return call([&](Device& gpu) -> int {
        const Array* own = array_of(handle);
        if (own == nullptr) return invalid_value;
        if (const int error = gpu.synchronise(static_cast<Stream*>(nullptr)); error != success) return error;
        const int error = gpu.release(own->address, false);
        arrays().erase(handle);
        return error;
    });
}
STANDIN_API int cudaArrayGetInfo(Format* format, Size* size, unsigned* flags, void* handle) {
    const Array* own = array_of(handle);
    if (own == nullptr) return invalid_value;
    if (format != nullptr) *format = own->format;
    if (size != nullptr) *size = {own->width, own->height, own->depth};
    if (flags != nullptr) *flags = 0;
    return success;
}
STANDIN_API int cudaGetChannelDesc(Format* format, void* handle) {
    return format == nullptr ? static_cast<int>(invalid_value) : cudaArrayGetInfo(format, nullptr, nullptr, handle);
}
STANDIN_API int cudaMemcpy2DToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                    std::size_t width, std::size_t height, int direction) {
    return copy_array(to, x, y, const_cast<void*>(from), pitch, width, height, direction, true, nullptr, false);
}
STANDIN_API int cudaMemcpy2DToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                         std::size_t width, std::size_t height, int direction, void* stream) {
    return copy_array(to, x, y, const_cast<void*>(from), pitch, width, height, direction, true, stream, true);
}
STANDIN_API int cudaMemcpy2DFromArray(void* to, std::size_t pitch, void* from, std::size_t x, std::size_t y,
                                      std::size_t width, std::size_t height, int direction) {
    return copy_array(from, x, y, to, pitch, width, height, direction, false, nullptr, false);
}
STANDIN_API int cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, void* from, std::size_t x, std::size_t y,
                                           std::size_t width, std::size_t height, int direction, void* stream) {
    return copy_array(from, x, y, to, pitch, width, height, direction, false, stream, true);
}
STANDIN_API int cudaMemcpyToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                  int direction) {
    return copy_line(to, x, y, const_cast<void*>(from), bytes, direction, true, nullptr, false);
}
STANDIN_API int cudaMemcpyToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                       int direction, void* stream) {
    return copy_line(to, x, y, const_cast<void*>(from), bytes, direction, true, stream, true);
}
STANDIN_API int cudaMemcpyFromArray(void* to, void* from, std::size_t x, std::size_t y, std::size_t bytes,
                                    int direction) {
    return copy_line(from, x, y, to, bytes, direction, false, nullptr, false);
}
STANDIN_API int cudaMemcpyFromArrayAsync(void* to, void* from, std::size_t x, std::size_t y, std::size_t bytes,
                                         int direction, void* stream) {
    return copy_line(from, x, y, to, bytes, direction, false, stream, true);
}
STANDIN_API int cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y, void* from, std::size_t from_x,
                                         std::size_t from_y, std::size_t width, std::size_t height, int) {
    const Array* source = array_of(from);
    if (source == nullptr || from_x + width > source->width * source->format.bytes() ||
        from_y + height > source->rows())
        return invalid_value;
    char* inside = source->address + from_y * source->pitch + from_x;
    return copy_array(to, to_x, to_y, inside, source->pitch, width, height, 3, true, nullptr, false);
}
STANDIN_API int cudaMemcpyArrayToArray(void* to, std::size_t to_x, std::size_t to_y, void* from, std::size_t from_x,
                                       std::size_t from_y, std::size_t bytes, int direction) {
    const Array* source = array_of(from);
    if (source == nullptr) return invalid_value;
    const std::size_t row = source->width * source->format.bytes();
    const bool whole = from_x == 0 && to_x == 0 && bytes % row == 0;
    return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, whole ? row : bytes, whole ? bytes / row : 1,
                                    direction);
}

STANDIN_API int cudaCreateTextureObject(std::uint64_t* result, const Resource* resource, const Sampling* how,
                                        const void* view) {
    if (result == nullptr || resource == nullptr || how == nullptr) return invalid_value;
    if (view != nullptr) missing("cudaCreateTextureObject with a resource view");
    if (how->srgb != 0) missing("cudaCreateTextureObject with sRGB");
    TextureObject object;
    if (!take_resource(object, *resource)) return invalid_value;
    for (int k = 0; k < 3; ++k) object.modes[k] = static_cast<std::uint32_t>(how->modes[k] & 3);
    object.linear = how->filter == 1;
    object.normalized = how->normalized != 0;
    object.as_fraction = how->reads_fractions == 1 && object.kind != TextureObject::real;
    const bool integers = object.kind != TextureObject::real && !object.as_fraction;
    if (object.linear && integers) return invalid_value;  // CUDA has no filter for them
    std::memcpy(object.border_color.data(), how->border, sizeof how->border);
    return make_object(result, object, {*resource, *how});
}
STANDIN_API int cudaCreateSurfaceObject(std::uint64_t* result, const Resource* resource) {
    if (result == nullptr || resource == nullptr || resource->kind != of_array) return invalid_value;
    TextureObject object;
    if (!take_resource(object, *resource)) return invalid_value;
    return make_object(result, object, {*resource, {}});
}
STANDIN_API int cudaGetTextureObjectResourceDesc(Resource* result, std::uint64_t handle) {
    return told_of(handle, &Description::resource, result);
}
STANDIN_API int cudaGetTextureObjectTextureDesc(Sampling* result, std::uint64_t handle) {
    return told_of(handle, &Description::sampling, result);
}
STANDIN_API int cudaGetSurfaceObjectResourceDesc(Resource* result, std::uint64_t handle) {
    return told_of(handle, &Description::resource, result);
}
STANDIN_API int cudaDestroyTextureObject(std::uint64_t handle) { return drop_object(handle); }
STANDIN_API int cudaDestroySurfaceObject(std::uint64_t handle) { return drop_object(handle); }
