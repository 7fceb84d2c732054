// Arrays of the runtime: rows in device memory, with the format of their elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foretell::standin::runtime {

// cudaChannelFormatDesc: bits of up to four channels; kinds 0 signed, 1 unsigned, 2 floating point.
struct Format {
    int bits[4];
    int kind;

    std::size_t channels() const {
        std::size_t count = 0;
        for (const int own : bits) count += own != 0;
        return count;
    }
    std::size_t bytes() const { return channels() * static_cast<std::size_t>(bits[0]) / 8; }
    // All channels are alike, of 8, 16 or 32 bits.
    bool is_known() const;
};

struct Array {
    Format format{};
    std::size_t width = 0, height = 0, depth = 0, pitch = 0;
    char* address = nullptr;

    std::size_t rows() const { return height == 0 ? 1 : height; }
};

struct Size {
    std::size_t width, height, depth;
};

// cudaResourceDesc and cudaTextureDesc.
enum ResourceKind : int { of_array, of_mipmaps, of_line, of_rows };
struct Resource {
    int kind;
    union {
        void* array;
        struct {
            void* address;
            Format format;
            std::size_t width, height, pitch;  // of a line: `width` is its bytes
        } memory;
        int reserved[32];
    };
};
struct Sampling {
    int modes[3], filter, reads_fractions, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipmap_filter;
    float bias, lowest, highest;
};

// Null for a handle that was not made by cudaMallocArray.
Array* array_of(void* handle);

}  // namespace foretell::standin::runtime
