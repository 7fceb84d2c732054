// Tensor maps, as the driver encodes them (gpu/tensor_map.hpp). Rules are those of the driver's reference.
#include "gpu/tensor_map.hpp"

#include "standin/device.hpp"

namespace {

using namespace foretell;
using namespace foretell::standin;

constexpr std::uint64_t most_size = 1ull << 32, most_stride = 1ull << 40, address_alignment = 16, map_alignment = 64;
constexpr std::uint32_t most_box = 256, most_step = 8;

struct Wanted {
    const std::uint64_t *sizes, *strides;
    const std::uint32_t *box, *steps;
};

bool is_dimension(const TensorMap& map, const Wanted& wanted, int k) {
    const bool size = wanted.sizes[k] != 0 && wanted.sizes[k] <= most_size;
    const bool box = wanted.box[k] != 0 && wanted.box[k] <= most_box;
    const bool step = wanted.steps[k] != 0 && wanted.steps[k] <= most_step;
    const std::uint64_t unit = map.interleave == 2 ? 32 : address_alignment;
    const bool stride = k == 0 || (wanted.strides[k - 1] % unit == 0 && wanted.strides[k - 1] < most_stride);
    return size && box && step && stride;
}

// Rows of a tile fit into the pattern, and are whole pieces of 16 bytes.
bool is_row(const TensorMap& map) {
    const std::uint32_t row = map.box[0] * static_cast<std::uint32_t>(tensor_map::element_bytes[map.type]);
    if (map.interleave != 0) return map.dimensions >= 3;
    return row % address_alignment == 0 && (map.swizzle == 0 || row <= 16u << map.swizzle);
}

bool take(TensorMap& map, const Wanted& wanted) {
    for (int k = 0; k < map.dimensions; ++k) {
        if (!is_dimension(map, wanted, k)) return false;
        map.sizes[k] = wanted.sizes[k];
        map.strides[k] = k == 0 ? 0 : wanted.strides[k - 1];
        map.box[k] = wanted.box[k];
        map.steps[k] = wanted.steps[k];
    }
    return is_row(map);
}

bool is_known(int type, std::uint32_t rank, int interleave, int swizzle, int fill) {
    const bool kinds = type >= 0 && type < tensor_map::types && rank >= 1 && rank <= TensorMap::most_dimensions;
    return kinds && interleave >= 0 && interleave <= 2 && swizzle >= 0 && swizzle <= 3 && (fill == 0 || fill == 1);
}

}  // namespace

STANDIN_API int cuTensorMapEncodeTiled(void* result, int type, std::uint32_t rank, void* address,
                                       const std::uint64_t* sizes, const std::uint64_t* strides,
                                       const std::uint32_t* box, const std::uint32_t* steps, int interleave,
                                       int swizzle, int, int fill) {
    const auto at = reinterpret_cast<std::uintptr_t>(result), base = reinterpret_cast<std::uintptr_t>(address);
    if (result == nullptr || at % map_alignment != 0 || base == 0 || base % address_alignment != 0)
        return invalid_value;
    if (!is_known(type, rank, interleave, swizzle, fill)) return invalid_value;
    TensorMap map;
    map.dimensions = static_cast<int>(rank);
    map.type = type;
    map.base = base;
    map.interleave = interleave;
    map.swizzle = swizzle;
    map.fills_nan = fill == 1;
    if (!take(map, {sizes, strides, box, steps})) return invalid_value;
    const auto words = tensor_map::encoded(map);
    std::memcpy(result, words.data(), sizeof words);
    return success;
}

STANDIN_API int cuTensorMapReplaceAddress(void* map, void* address) {
    const auto base = reinterpret_cast<std::uint64_t>(address);
    if (map == nullptr || base == 0 || base % address_alignment != 0) return invalid_value;
    std::memcpy(map, &base, sizeof base);
    return success;
}
