// Copies of tiles between arrays with a tensor map and shared memory (PTX ISA, "Tensors"), at once.
#include <algorithm>
#include <cstring>
#include <vector>

#include "gpu/complete/memory/bulk_copies.hpp"
#include "gpu/complete/memory/mbarriers.hpp"
#include "gpu/complete/memory/reductions.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"
#include "gpu/tensor_map.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint32_t tile_alignment = 128, granule = 16;
constexpr std::uint64_t most_bytes = 1 << 24;  // of a tile: offsets in shared memory have 24 bits

// Where a byte of a tile lies in shared memory: bits 4 to 6 of its address are mixed with bits 7 to 9 (PTX ISA, "Swizzling
// modes"): 1, 2 and 3 bits for rows of 32, 64 and 128 bytes.
std::uint32_t swizzled(std::uint32_t address, int bits) { return address ^ ((address >> 7 & ((1u << bits) - 1)) << 4); }

// A tile at coordinates, in the order in which it lies in shared memory.
class Tile {
public:
    Tile(Worker& w, const Dense& d, int lane, int first_coordinate) : w_(w), d_(d), lane_(lane) {
        const std::uint8_t* bytes = global_bytes(w, d, lane, uniform_address(w, d, 1), TensorMap::bytes, false);
        if (!tensor_map::decode(bytes, map_))
            w.fail(d, FaultKind::illegal, lane, "a copy with a tensor map that was not encoded");
        if (map_.interleave != 0) w.fail(d, FaultKind::unsupported, lane, "a tensor map with an interleaved layout");
        if (map_.dimensions != d.sources)
            w.fail(d, FaultKind::illegal, lane, "a copy whose tensor map has another number of dimensions");
        for (int k = 0; k < map_.dimensions; ++k)
            at_[k] = static_cast<std::int32_t>(uniform_word(w, d, 0, first_coordinate + k));
        element_ = bytes_of(type());
        if (at_[0] * static_cast<std::int64_t>(element_) % granule !=
            0)  // the H200 ends the kernel with an illegal instruction
            w.fail(d, FaultKind::illegal, lane, "a copy of a tile that does not begin at a multiple of 16 bytes");
        row_ = map_.count(0);
        std::uint64_t rows = 1;  // 2^32 at most
        for (int k = 1; k < map_.dimensions; ++k) rows *= map_.count(k);
        if (row_bytes() > pitch()) w.fail(d, FaultKind::illegal, lane, "a tile whose rows are longer than its pattern");
        if (rows * pitch() > most_bytes) w.fail(d, FaultKind::illegal, lane, "a tile larger than shared memory");
        rows_ = static_cast<std::uint32_t>(rows);
        w.count_work(std::uint64_t{rows_} * (map_.dimensions + (row_bytes() + granule - 1) / granule));
    }

    std::uint32_t bytes() const { return row_ * rows_ * element_; }
    // Rows of a tile with a pattern begin at multiples of its length.
    std::uint32_t pitch() const { return map_.swizzle == 0 ? row_ * element_ : granule << map_.swizzle; }
    std::uint32_t touched() const { return rows_ * pitch(); }
    std::uint32_t row_bytes() const { return row_ * element_; }
    const TensorMap& map() const { return map_; }
    Element type() const { return static_cast<Element>(map_.type); }

    // Calls f(global memory, place in the tile, bytes) for pieces that lie in the array, none longer than 16 bytes.
    template <class F>
    void each_piece(bool writes, F&& f) {
        for (std::uint32_t row = 0; row < rows_; ++row) {
            std::uint64_t address = map_.base;
            if (!row_address(row, address)) continue;
            each_of_row(row, address, writes, f);
        }
    }

private:
    bool row_address(std::uint32_t row, std::uint64_t& address) const {
        for (int k = 1; k < map_.dimensions; ++k) {
            const std::int64_t at = at_[k] + std::int64_t{row % map_.count(k)} * map_.steps[k];
            row /= map_.count(k);
            if (at < 0 || static_cast<std::uint64_t>(at) >= map_.sizes[k]) return false;
            address += static_cast<std::uint64_t>(at) * map_.strides[k];
        }
        return true;
    }

    template <class F>
    void each_of_row(std::uint32_t row, std::uint64_t address, bool writes, F& f) {
        const auto size = static_cast<std::int64_t>(map_.sizes[0]);
        const std::int64_t first = std::clamp<std::int64_t>(-at_[0], 0, row_),
                           end = std::clamp<std::int64_t>(size - at_[0], 0, row_);
        if (first >= end) return;
        std::uint8_t* from =
            copied_bytes(w_, d_, lane_, address + static_cast<std::uint64_t>(at_[0] + first) * element_,
                         static_cast<std::uint64_t>(end - first) * element_, writes);
        const std::uint32_t start = row * row_ * element_, last = start + static_cast<std::uint32_t>(end) * element_;
        for (std::uint32_t place = start + static_cast<std::uint32_t>(first) * element_; place < last;) {
            const std::uint32_t next = std::min(last, (place / granule + 1) * granule);
            f(from, place, next - place);
            from += next - place;
            place = next;
        }
    }

    Worker& w_;
    const Dense& d_;
    int lane_;
    TensorMap map_;
    std::array<std::int64_t, TensorMap::most_dimensions> at_{};
    std::uint32_t element_ = 1, row_ = 1, rows_ = 1;
};

// What elements outside of the array are: zeros, or NaN, of which the H200 writes 0x7ff7 in each 16 bits.
void fill(const Tile& from, std::vector<std::uint8_t>& tile) {
    std::ranges::fill(tile, 0);
    if (!from.map().fills_nan) return;
    for (std::size_t at = 0; at + 2 <= tile.size(); at += 2) std::memcpy(tile.data() + at, "\xf7\x7f", 2);
}

// Types that change numbers on their way: denormals flushed, or rounded to the fractions of TF32.
void convert(Element type, std::uint8_t* numbers, std::uint32_t bytes) {
    if (type < Element::f32_ftz) return;
    for (std::uint32_t at = 0; at + 4 <= bytes; at += 4) {
        std::uint32_t word;
        std::memcpy(&word, numbers + at, 4);
        if (type != Element::tf32) word = semantics::to_bits(semantics::flushed(semantics::to_float(word)));
        const bool is_number = (word & 0x7f800000u) != 0x7f800000u;
        if (type != Element::f32_ftz) word = (word + (is_number ? 0x1000u : 0)) & 0xffffe000u;
        std::memcpy(numbers + at, &word, 4);
    }
}

std::uint32_t shared_place(const Worker& w, const Dense& d, int lane) {
    const std::uint32_t place = uniform_word(w, d, 0);
    if (place % tile_alignment != 0)
        fail_access(w, d, FaultKind::misaligned, lane, place, tile_alignment, true, shared_space);
    return place;
}

// Calls f(place in the tile, place in shared memory, bytes) for every 16 bytes of a tile that begins at `place`.
template <class F>
void each_granule(const Tile& tile, std::uint32_t place, F&& f) {
    const std::uint32_t row = tile.row_bytes();
    for (std::uint32_t first = 0, line = place; first < tile.bytes(); first += row, line += tile.pitch())
        for (std::uint32_t at = 0; at < row; at += granule)
            f(first + at, swizzled(line + at, tile.map().swizzle) - place, std::min(granule, row - at));
}

}  // namespace

// UTMALDG.2D [UR8], [UR6]: the tile whose tensor map is at the address in UR6 and UR7, to that in UR8; UR9 is the mbarrier,
// UR10 and those behind it are the coordinates. With MULTICAST, a third register are the blocks that get it.
void load_tile(Worker& w, const Dense& d, Mask m) {
    const int lane = std::countr_zero(m);
    Tile tile(w, d, lane, 2);
    std::vector<std::uint8_t> numbers(tile.bytes());
    fill(tile, numbers);
    tile.each_piece(false, [&](const std::uint8_t* from, std::uint32_t place, std::uint32_t bytes) {
        std::memcpy(numbers.data() + place, from, bytes);
        convert(tile.type(), numbers.data() + place, bytes);
    });
    const std::uint32_t to = shared_place(w, d, lane), object = uniform_word(w, d, 0, 1);
    const auto blocks = d.flag ? uniform_word(w, d, 2) >> 16 : 0;
    each_receiver(to, object, d.flag, blocks, [&](std::uint32_t target, std::uint32_t waiting) {
        w.count_work(tile.touched() / granule);
        std::uint8_t* out = cluster_bytes(w, d, lane, target, tile.touched(), true);
        each_granule(tile, target, [&](std::uint32_t at, std::uint32_t place, std::uint32_t bytes) {
            std::memcpy(out + place, numbers.data() + at, bytes);
        });
        advance_object(w, d, lane, waiting, 0, -std::int64_t{tile.bytes()});
    });
}

// UTMASTG.2D [UR8], [UR6]: the other way; UR9 and those behind it are the coordinates. UTMAREDG.2D.ADD updates the array.
void store_tile(Worker& w, const Dense& d, Mask m) {
    const int lane = std::countr_zero(m);
    Tile tile(w, d, lane, 1);
    const std::uint32_t from = shared_place(w, d, lane);
    const std::uint8_t* in = cluster_bytes(w, d, lane, from, tile.touched(), false);
    if (d.flag) w.count_work(tile.bytes() / bytes_of(tile.type()));
    std::vector<std::uint8_t> numbers(tile.bytes());
    each_granule(tile, from, [&](std::uint32_t at, std::uint32_t place, std::uint32_t bytes) {
        std::memcpy(numbers.data() + at, in + place, bytes);
    });
    tile.each_piece(true, [&](std::uint8_t* to, std::uint32_t place, std::uint32_t bytes) {
        if (d.flag)
            reduce_elements(tile.type(), static_cast<semantics::Atomic>(d.mode), to, numbers.data() + place, bytes);
        else std::memcpy(to, numbers.data() + place, bytes);
    });
}

}  // namespace foretell::complete
