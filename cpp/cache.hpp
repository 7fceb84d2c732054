// One level of a cache: which lines it holds, and which one leaves next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simd.hpp"

namespace foretell::cachesim {

using Line = std::uint64_t;

// Marks beside the number of a line: changed since it came; in use by a reference that stays on it, so no victim.
inline constexpr Line dirty_mark = Line{1} << 63, in_use = Line{1} << 62;
inline constexpr Line empty = ~(dirty_mark | in_use);  // no line

enum class Policy { lru, fifo, plru, random };

// What a level holds of the levels inside it. An exclusive level takes what the next inner one evicts.
enum class Inclusion { none, inclusive, exclusive };

struct Geometry {
    std::uint64_t sets;
    std::uint32_t ways;
    std::uint64_t line;  // bytes; a multiple of the line of the level inside
    Policy policy = Policy::lru;
    Inclusion inclusion = Inclusion::none;
    bool write_allocate = true;
};

// One level: where lines are, which one leaves next. A set is its lines, the newest first where the policy orders them
// (LRU, FIFO), looked at eight at a time. A slot (set * stride + way) is that of its line until the set changes.
class Cache {
public:
    static constexpr std::uint64_t absent = ~std::uint64_t{0};

    Cache(const Geometry& geometry, std::uint64_t seed);

    const Geometry& geometry() const { return geometry_; }
    Line line_of(std::uint64_t address) const {
        return shift_ >= 0 ? address >> shift_ : address / geometry_.line;
    }
    FORETELL_INLINE std::uint64_t find(Line line) const {
        if (indexed_) return find_indexed(line);
        const std::uint64_t first = first_of(line);
        for (std::uint64_t at = first; at < first + geometry_.ways; at += 8) {
            const std::uint64_t found = equal(at, line);
            if (found) return at + std::countr_zero(found) / 8;
        }
        return absent;
    }
    // A hit, and marks that the line gets or loses: FIFO and random replacement see no more of it.
    FORETELL_INLINE void hit(std::uint64_t slot, Line marks = 0, Line no_longer = 0) {
        const Line tag = (tags_[slot] | marks) & ~no_longer;
        if (geometry_.policy == Policy::lru && !indexed_) {
            to_front(slot & ~(stride_ - 1), slot & (stride_ - 1), tag);
        } else {
            tags_[slot] = tag;
            touch_other(slot);
        }
    }
    // Puts a line where the policy wants it; what was there, with its marks. A line in use is newer than all others,
    // whatever its place says. Empty slots are the oldest.
    FORETELL_INLINE Line exchange(Line line, Line marks) {
        if (!ordered_) return exchange_other(line, marks);
        const std::uint64_t first = first_of(line), last = geometry_.ways - 1;
        Line leaving = tags_[first + last];
        to_front(first, last, line | marks);
        while (leaving & in_use) {
            const Line next = tags_[first + last];
            to_front(first, last, leaving);
            leaving = next;
        }
        return leaving;
    }
    void remove(std::uint64_t slot);
    static bool is_dirty(Line tag) { return tag & dirty_mark; }
    static Line clean(Line tag) { return tag & empty; }
    bool dirty(std::uint64_t slot) const { return is_dirty(tags_[slot]); }
    std::uint64_t dirty_lines() const;
    // Asks the real caches for what the simulated one will look at soon.
    FORETELL_INLINE void prefetch(std::uint64_t address) const {
        if (indexed_) return;
        const std::uint64_t first = first_of(line_of(address));
        for (std::uint32_t way = 0; way < geometry_.ways; way += 8) __builtin_prefetch(&tags_[first + way], 1);
    }

private:
    typedef Line Eight __attribute__((vector_size(64), may_alias));
    typedef signed char EightBytes __attribute__((vector_size(8)));

    struct alignas(64) Tags {
        Eight lines;
    };

    std::uint64_t first_of(Line line) const {
        return (mask_ >= 0 ? line & mask_ : line % geometry_.sets) << stride_bits_;
    }
    // Of eight slots: a byte of ones for the one that holds the line.
    FORETELL_INLINE std::uint64_t equal(std::uint64_t slot, Line line) const {
        const Eight lines = tag_blocks_[slot / 8].lines & empty;
        return std::bit_cast<std::uint64_t>(__builtin_convertvector(lines == line, EightBytes));
    }
    // Puts a line before the others of its set; those before `place` move on by one, and what was there goes.
    FORETELL_INLINE void to_front(std::uint64_t first, std::uint64_t place, Line tag) {
        constexpr Eight places = {0, 1, 2, 3, 4, 5, 6, 7};
        Tags* block = tag_blocks_.data() + first / 8;
        Eight before = Eight{} + tag;
        for (;; ++block, place -= 8) {
            const Eight here = block->lines;
            const Eight moved = __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
            if (place < 8) {
                block->lines = places <= place ? moved : here;
                return;
            }
            block->lines = moved;
            before = here;
        }
    }
    Line exchange_other(Line line, Line marks);
    std::uint64_t victim(Line line);
    void put_indexed(std::uint64_t slot, Line line);
    std::uint64_t vacancy(std::uint64_t set) const;
    std::uint64_t find_indexed(Line line) const;
    void touch_other(std::uint64_t slot);
    void unlink(std::uint64_t slot);
    void link_newest(std::uint64_t slot);

    // More ways than are searched are found through a table and ordered in lists.
    static constexpr std::uint32_t most_searched = 32;

    Geometry geometry_;
    int shift_ = -1;           // log2 of the line size, or -1
    std::int64_t mask_ = -1;   // sets - 1 where that is a mask, or -1
    bool indexed_, ordered_;
    std::uint64_t stride_;     // slots from one set to the next, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Tags> tag_blocks_;
    Line* tags_;                         // the same, one after the other
    std::vector<std::uint64_t> tree_;    // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
