// Calls of closed libraries (cuBLAS, cuFFT, cuRAND) that the user wants estimated: computed here, timed by a rule of
// their sizes (uses/program_run/library_estimates.py).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "standin/device.hpp"

namespace foretell::standin {

// What a call does; the numbers are part of the protocol.
enum class Family : std::uint32_t {
    product = 0,    // of matrices: rows, columns, inner size, how many
    by_vector = 1,  // a matrix by a vector: rows, columns, 1, how many
    vectors = 2,    // elements, arrays that are read, arrays that are written
    sum = 3,        // over a vector: elements, arrays that are read
    transform = 4,  // of Fourier: elements of one, its dimensions, whether one side is real, how many
    random = 5,     // numbers, whether they are distributed normally
};
enum class Numbers : std::uint32_t { f32 = 0, f64 = 1, f16 = 2, bf16 = 3, tf32 = 4, i8 = 5 };

struct LibraryCall {
    std::string name;
    Family family;
    Numbers numbers;
    std::array<std::uint64_t, 4> sizes;
    const void* written = nullptr;  // and how many bytes, where it may be managed memory
    std::uint64_t written_bytes = 0;
    bool waits = false;  // the host waits for the result
};

// Does what the library would do in a stream, and tells foretell; an error of CUDA.
__attribute__((visibility("default"))) int library_call(void* stream, LibraryCall, std::function<void()> body);
// Whether kernels could use all of these bytes.
__attribute__((visibility("default"))) bool is_device_memory(const void* address, std::uint64_t bytes);

}  // namespace foretell::standin
