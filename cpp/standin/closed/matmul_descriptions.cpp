// The descriptions of cuBLASLt: made, told and asked.
#include "standin/closed/matmul_descriptions.hpp"

#include <cstddef>
#include <cstring>

#include "standin/closed/blas.hpp"

using namespace foretell::closed;
using Size = std::size_t;

namespace {

// Where the attribute of a description lies, and its bytes; 0 bytes: there is none.
struct Place {
    void* at;
    Size bytes;
};

Place place_of(Layout& layout, int attribute) {
    switch (attribute) {
        case 0: return {&layout.type, sizeof layout.type};
        case 1: return {&layout.order, sizeof layout.order};
        case 2: return {&layout.rows, sizeof layout.rows};
        case 3: return {&layout.columns, sizeof layout.columns};
        case 4: return {&layout.pitch, sizeof layout.pitch};
        case 5: return {&layout.count, sizeof layout.count};
        case 6: return {&layout.distance, sizeof layout.distance};
        default: return {nullptr, 0};
    }
}

// Attributes that change no result (multiprocessors to use, fast sums) have a place that is not read.
Place place_of(Operation& operation, int attribute) {
    static thread_local std::uint64_t unread;
    constexpr int first_scale = 17, last_scale = 21;
    switch (attribute) {
        case 0: return {&operation.compute, sizeof operation.compute};
        case 1: return {&operation.scale, sizeof operation.scale};
        case 2: return {&operation.pointer_mode, sizeof operation.pointer_mode};
        case 3: return {&operation.ta, sizeof operation.ta};
        case 4: return {&operation.tb, sizeof operation.tb};
        case 5: return {&operation.tc, sizeof operation.tc};
        case 6: return {&operation.fill, sizeof operation.fill};
        case 7: return {&operation.epilogue, sizeof operation.epilogue};
        case 8: return {&operation.bias, sizeof operation.bias};
        case 10: return {&operation.bias_distance, sizeof operation.bias_distance};
        case 11: return {&operation.others[0], sizeof operation.others[0]};
        case 12:
        case 13:
        case 14: return {&unread, sizeof unread};
        case 15: return {&unread, sizeof(std::int32_t)};
        case 22: return {&unread, sizeof(std::int32_t)};
        case 25: return {&unread, sizeof(std::int8_t)};
        case 26: return {&operation.bias_type, sizeof operation.bias_type};
        default: break;
    }
    if (attribute >= first_scale && attribute <= last_scale)
        return {&operation.others[1 + attribute - first_scale], sizeof operation.others[0]};
    return {nullptr, 0};
}

Place place_of(Preference& preference, int attribute) {
    constexpr int known = 12;
    if (attribute < 0 || attribute >= known) return {nullptr, 0};
    const bool is_wide = attribute == 1;  // bytes of a workspace
    return {&preference.values[attribute], is_wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t)};
}

template <class T>
int told(void* object, int attribute, const void* value, Size bytes) {
    if (object == nullptr || value == nullptr) return invalid;
    const Place place = place_of(*static_cast<T*>(object), attribute);
    if (place.bytes == 0 || bytes != place.bytes) return invalid;
    std::memcpy(place.at, value, bytes);
    return ok;
}

template <class T>
int asked(void* object, int attribute, void* value, Size bytes, Size* written) {
    if (object == nullptr) return invalid;
    const Place place = place_of(*static_cast<T*>(object), attribute);
    if (place.bytes == 0) return invalid;
    if (written != nullptr) *written = place.bytes;
    if (bytes == 0) return written == nullptr ? invalid : ok;
    if (value == nullptr || bytes < place.bytes) return invalid;
    std::memcpy(value, place.at, place.bytes);
    return ok;
}

template <class T>
int made(T** result, const T& value) {
    if (result == nullptr) return invalid;
    *result = new T(value);
    return ok;
}

template <class T>
int placed(void* object, Size bytes, const T& value) {
    constexpr int no_memory = 3;
    if (object == nullptr) return invalid;
    if (bytes < sizeof(T)) return no_memory;
    std::memcpy(object, &value, sizeof(T));
    return ok;
}

Operation operation_of(int compute, int scale) {
    Operation result{};
    result.compute = compute;
    result.scale = scale;
    return result;
}

Layout layout_of(int type, std::uint64_t rows, std::uint64_t columns, std::int64_t pitch) {
    Layout result{};
    result.type = type;
    result.rows = rows;
    result.columns = columns;
    result.pitch = pitch;
    return result;
}

}  // namespace

#define ATTRIBUTES(NAME, T)                                                                                         \
    STANDIN_API int cublasLt##NAME##Destroy(T* object) {                                                            \
        delete object;                                                                                              \
        return ok;                                                                                                  \
    }                                                                                                               \
    STANDIN_API int cublasLt##NAME##SetAttribute(void* object, int which, const void* value, Size bytes) {          \
        return told<T>(object, which, value, bytes);                                                                \
    }                                                                                                               \
    STANDIN_API int cublasLt##NAME##GetAttribute(void* object, int which, void* value, Size bytes, Size* written) { \
        return asked<T>(object, which, value, bytes, written);                                                      \
    }
ATTRIBUTES(MatrixLayout, Layout)
ATTRIBUTES(MatmulDesc, Operation)
ATTRIBUTES(MatmulPreference, Preference)

STANDIN_API int cublasLtMatrixLayoutCreate(Layout** result, int type, std::uint64_t rows, std::uint64_t columns,
                                           std::int64_t pitch) {
    return made(result, layout_of(type, rows, columns, pitch));
}
STANDIN_API int cublasLtMatrixLayoutInit_internal(void* object, Size bytes, int type, std::uint64_t rows,
                                                  std::uint64_t columns, std::int64_t pitch) {
    return placed(object, bytes, layout_of(type, rows, columns, pitch));
}
STANDIN_API int cublasLtMatmulDescCreate(Operation** result, int compute, int scale) {
    return made(result, operation_of(compute, scale));
}
STANDIN_API int cublasLtMatmulDescInit_internal(void* object, Size bytes, int compute, int scale) {
    return placed(object, bytes, operation_of(compute, scale));
}
STANDIN_API int cublasLtMatmulPreferenceCreate(Preference** result) { return made(result, Preference{}); }
STANDIN_API int cublasLtMatmulPreferenceInit_internal(void* object, Size bytes) {
    constexpr Size of_cuda_12 = 64;  // smaller there than here, and nothing of it is read
    return placed(object, bytes < of_cuda_12 ? bytes : sizeof(Preference), Preference{});
}
