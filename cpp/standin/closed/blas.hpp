// What the functions of cuBLAS share.
#pragma once

#include "standin/runtime/library_calls.hpp"

namespace foretell::closed {

using standin::Family;
using standin::is_device_memory;
using standin::library_call;
using standin::LibraryCall;
using Kind = standin::Numbers;

enum Status : int { ok = 0, not_initialised = 1, invalid = 7, failed = 13, unsupported = 15 };

struct Handle {
    void* stream = nullptr;
    int pointer_mode = 0, math_mode = 0, atomics_mode = 0;
};

// A factor: in the memory of the host it is read now, in that of the device when the call runs.
struct Factor {
    double value;
    const void* where;
    double (*read)(const void*);
    double get() const { return where == nullptr ? value : read(where); }
};

template <class T>
Factor factor(const Handle& handle, const void* where) {
    const auto read = [](const void* from) { return static_cast<double>(*static_cast<const T*>(from)); };
    if (handle.pointer_mode == 0) return {read(where), nullptr, read};
    return {0, where, read};
}

inline int submitted(const Handle& handle, LibraryCall what, std::function<void()> body) {
    return library_call(handle.stream, std::move(what), std::move(body)) == 0 ? ok : failed;
}

// Bytes from the first to the last element of a vector, and of a matrix in columns.
inline std::uint64_t extent(std::int64_t n, std::int64_t step, std::uint64_t element) {
    return n <= 0 ? 0
                  : (static_cast<std::uint64_t>(n - 1) * static_cast<std::uint64_t>(step < 0 ? -step : step) + 1) *
                        element;
}
inline std::uint64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::uint64_t element) {
    return rows <= 0 || columns <= 0 ? 0 : static_cast<std::uint64_t>((columns - 1) * pitch + rows) * element;
}

}  // namespace foretell::closed
