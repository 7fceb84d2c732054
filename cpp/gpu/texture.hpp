// Texture and surface objects, as the stand-in libraries write them into device memory. The handle of an object is the lower
// half of the address of these bytes: code of sm_90 reads 32 bits of it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace foretell {

struct TextureObject {
    static constexpr std::array<char, 16> known{'f', 'o', 'r', 'e', 't', 'e', 'l', 'l',
                                                ' ', 't', 'e', 'x', 't', 'u', 'r', 'e'};
    enum Kind : std::uint32_t { unsigned_integer, signed_integer, real };
    enum Mode : std::uint32_t { wrap, clamp, mirror, border };  // cudaTextureAddressMode

    std::array<char, 16> mark = known;
    std::uint64_t address = 0, pitch = 0, slice = 0;     // bytes from row to row, and from layer to layer
    std::uint32_t width = 0, height = 0, depth = 0;      // elements; 0: it has no such dimension
    std::uint32_t kind = real, bytes = 4, channels = 1;  // bytes of a channel
    std::array<std::uint32_t, 3> modes{clamp, clamp, clamp};
    std::uint32_t linear = 0, normalized = 0;  // filter; coordinates from 0 to 1
    std::uint32_t as_fraction = 0;             // integers are read as numbers from 0 or -1 to 1
    std::array<float, 4> border_color{};
};
static_assert(sizeof(TextureObject) == 104);

}  // namespace foretell
