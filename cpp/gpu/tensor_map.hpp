// Tensor maps: how tiles of an array of up to five dimensions lie, in 128 bytes.
//
// The bytes are those of the driver of an H200 (validation/h200/hopper: 26 maps), so that maps in captures are read
// as well. Words of 32 bits: 0 and 1 the address; 2 rank, type, layout; 3 to 6 strides / 16, whose bits above 32 are in word
// 7; 8 to 12 sizes - 1; 13 steps - 1 (3 bits each), and box - 1 in bytes from its highest one on; 16 bytes of a tile
// (whole steps only, those of the innermost dimension as well, though copies ignore them).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace foretell {

struct TensorMap {
    static constexpr int most_dimensions = 5;
    static constexpr std::uint32_t bytes = 128;

    int dimensions = 1;
    int type = 0;  // CUtensorMapDataType
    std::uint64_t base = 0;
    std::array<std::uint64_t, most_dimensions> sizes{}, strides{};  // strides in bytes, from dimension 1 on
    std::array<std::uint32_t, most_dimensions> box{}, steps{1, 1, 1, 1, 1};
    int interleave = 0, swizzle = 0;
    bool fills_nan = false;

    // Elements of a tile in a dimension. The innermost one of a layout that is not interleaved has no steps: they are ignored.
    std::uint32_t count(int k) const { return k == 0 && interleave == 0 ? box[k] : (box[k] + steps[k] - 1) / steps[k]; }
};

namespace tensor_map {

// Numbers of the types in the map, by CUtensorMapDataType; TF32 is FP32 with a mark.
inline constexpr int type_codes[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 7, 8};
inline constexpr int element_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
inline constexpr int types = 13, tf32 = 11, rank_bit = 4, type_bit = 7, interleave_bit = 11, swizzle_bit = 13,
                     fill_bit = 15, tf32_bit = 16, step_bits = 3;

using Words = std::array<std::uint32_t, TensorMap::bytes / 4>;

inline Words encoded(const TensorMap& map) {
    Words words{};
    std::uint32_t tile = static_cast<std::uint32_t>(element_bytes[map.type]);
    words[0] = static_cast<std::uint32_t>(map.base);
    words[1] = static_cast<std::uint32_t>(map.base >> 32);
    words[2] = static_cast<std::uint32_t>((map.dimensions - 1) << rank_bit | type_codes[map.type] << type_bit |
                                          map.interleave << interleave_bit | map.swizzle << swizzle_bit |
                                          (map.fills_nan ? 1 : 0) << fill_bit | (map.type >= tf32 ? 1 : 0) << tf32_bit);
    for (int k = 0; k < map.dimensions; ++k) {
        if (k > 0) {
            words[2 + k] = static_cast<std::uint32_t>(map.strides[k] >> 4);
            words[7] |= static_cast<std::uint32_t>(map.strides[k] >> 36 & 15) << 4 * (k - 1);
        }
        words[8 + k] = static_cast<std::uint32_t>(map.sizes[k] - 1);
        words[13] |= (map.steps[k] - 1) << step_bits * k;
        words[13 + (k + 3) / 4] |= (map.box[k] - 1) << 8 * ((k + 3) % 4);
        tile *= map.box[k] / map.steps[k];
    }
    words[16] = tile;
    words[18] = map.swizzle == 0 ? 0x10 : 0x80u << map.swizzle;
    return words;
}

// False if the words are no map.
inline bool decode(const std::uint8_t* from, TensorMap& map) {
    Words words;
    std::memcpy(words.data(), from, sizeof words);
    const std::uint32_t how = words[2];
    map.dimensions = static_cast<int>(how >> rank_bit & 7) + 1;
    const int code = static_cast<int>(how >> type_bit & 15);
    map.type = -1;
    for (int k = 0; k < tf32; ++k)
        if (type_codes[k] == code) map.type = k;
    if (how >> tf32_bit & 1) map.type = code == type_codes[tf32] ? tf32 : tf32 + 1;
    if (map.dimensions > TensorMap::most_dimensions || map.type < 0 || words[18] == 0) return false;
    map.base = std::uint64_t{words[1]} << 32 | words[0];
    map.interleave = static_cast<int>(how >> interleave_bit & 3);
    map.swizzle = static_cast<int>(how >> swizzle_bit & 3);
    map.fills_nan = how >> fill_bit & 1;
    for (int k = 0; k < map.dimensions; ++k) {
        map.strides[k] = k == 0 ? static_cast<std::uint64_t>(element_bytes[map.type])
                                : (std::uint64_t{words[7] >> 4 * (k - 1) & 15} << 32 | words[2 + k]) << 4;
        map.sizes[k] = std::uint64_t{words[8 + k]} + 1;
        map.steps[k] = (words[13] >> step_bits * k & 7) + 1;
        map.box[k] = (words[13 + (k + 3) / 4] >> 8 * ((k + 3) % 4) & 255) + 1;
    }
    return true;
}

}  // namespace tensor_map
}  // namespace foretell
