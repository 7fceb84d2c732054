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

// Marks in two bits above the number of a line: changed since it came; in use by a reference that stays on it, so no
// victim.
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

// Eight slots of a set, one after the other.
typedef Line Eight __attribute__((vector_size(64), may_alias));

struct alignas(64) Tags {
    Eight lines;
};

// Which set a line belongs to, and which line an address.
struct Places {
    explicit Places(const Geometry& geometry);

    Line line_of(std::uint64_t address) const { return line_bits >= 0 ? address >> line_bits : address / line; }
    std::uint64_t set_of(Line number) const { return mask >= 0 ? number & mask : number % sets; }

    std::uint64_t line, sets;
    int line_bits = -1;      // log2 of the line size, or -1
    std::int64_t mask = -1;  // sets - 1 where that is a mask, or -1
};

// The sets of an LRU level with up to 8 × blocks ways: the lines of a set, the newest first.
template <int blocks>
class Ordered {
public:
    Ordered(const Places& places, std::uint32_t ways, Tags* tags) : places_(places), last_(ways - 1), tags_(tags) {}

    Line line_of(std::uint64_t address) const { return places_.line_of(address); }

    // An access to a line, which gets and loses marks and becomes the newest. Whether it was there; if not, `leaving`
    // is what it has replaced, with its marks: the oldest, empty slots being the oldest of all. A line in use is newer
    // than all others, whatever its place says.
    FORETELL_INLINE bool access(Line line, Line marks, Line no_longer, Line& leaving) {
        Tags* const set = tags_ + places_.set_of(line) * blocks;
        for (int block = 0; block < blocks; ++block) {  // most hits are among the newest: no look at the others then
            const std::uint64_t seen = search(set[block], line);
            if (!seen) continue;
            const std::uint64_t place = 8 * block + std::countr_zero(seen) / 8;
            const Line before = reinterpret_cast<const Line*>(set)[place];
            to_front(set, block, place, line | marks | (before & ~empty & ~no_longer));
            return true;
        }
        leaving = reinterpret_cast<const Line*>(set)[last_];
        to_front(set, last_block(), last_, line | marks);
        if (leaving & in_use) leaving = spare(set, leaving);
        return false;
    }
    // Asks the real caches for what the simulated one will look at soon.
    FORETELL_INLINE void prefetch(Line line) const {
        const Tags* const set = tags_ + places_.set_of(line) * blocks;
        for (int block = 0; block < blocks; ++block) __builtin_prefetch(set + block, 1);
    }

private:
    typedef signed char Bytes __attribute__((vector_size(8)));

    int last_block() const { return blocks < 4 ? blocks - 1 : static_cast<int>(last_ / 8); }
    // Ones in the byte of the slot that holds the line.
    FORETELL_INLINE static std::uint64_t search(const Tags& block, Line line) {
        return std::bit_cast<std::uint64_t>(__builtin_convertvector((block.lines ^ line) << 2 == 0, Bytes));
    }
    // Puts a line before the others; those before `place`, in the last block, move on by one, and what was there goes.
    FORETELL_INLINE static void to_front(Tags* set, int last, std::uint64_t place, Line tag) {
        constexpr Eight ways = {0, 1, 2, 3, 4, 5, 6, 7};
        Eight before = Eight{} + tag;
        for (int block = 0; block <= last; ++block) {
            const Eight here = set[block].lines;
            const Eight moved = __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
            set[block].lines = block < last ? moved : (ways + 8 * block <= place ? moved : here);
            before = here;
        }
    }
    // Lines in use come back to the front until one is found that may go.
    __attribute__((noinline, cold)) Line spare(Tags* set, Line leaving) const {
        while (leaving & in_use) {
            const Line next = reinterpret_cast<const Line*>(set)[last_];
            to_front(set, last_block(), last_, leaving);
            leaving = next;
        }
        return leaving;
    }

    Places places_;
    std::uint64_t last_;
    Tags* tags_;
};

// One level: where lines are, which one leaves next. A slot (set * stride + way) is a line's until the set changes.
class Cache {
public:
    static constexpr std::uint64_t absent = ~std::uint64_t{0};

    Cache(const Geometry& geometry, std::uint64_t seed, bool vectors);

    const Geometry& geometry() const { return geometry_; }
    Line line_of(std::uint64_t address) const { return places_.line_of(address); }
    std::uint64_t find(Line line) const;
    // A hit, and marks that the line gets or loses: FIFO and random replacement see no more of it.
    void hit(std::uint64_t slot, Line marks = 0, Line no_longer = 0);
    // Puts a line where the policy wants it; what was there, with its marks.
    Line exchange(Line line, Line marks);
    void remove(std::uint64_t slot);
    static bool is_dirty(Line tag) { return tag & dirty_mark; }
    static Line clean(Line tag) { return tag & empty; }
    bool dirty(std::uint64_t slot) const { return is_dirty(tags_[slot]); }
    std::uint64_t dirty_lines() const;

    // Calls `use` with what has this level's `access` and `prefetch`: `Ordered`, where it can be and is fast.
    template <typename Use>
    FORETELL_INLINE void as(Use use) {
        if (!ordered_ || geometry_.policy != Policy::lru || !vectors_)
            use(Any{*this});
        else if (stride_ == 8)
            use(Ordered<1>(places_, geometry_.ways, blocks_.data()));
        else if (stride_ == 16)
            use(Ordered<2>(places_, geometry_.ways, blocks_.data()));
        else
            use(Ordered<4>(places_, geometry_.ways, blocks_.data()));
    }

private:
    struct Any {
        Cache& cache;
        Line line_of(std::uint64_t address) const { return cache.line_of(address); }
        bool access(Line line, Line marks, Line no_longer, Line& leaving) {
            const std::uint64_t slot = cache.find(line);
            if (slot == absent)
                leaving = cache.exchange(line, marks);
            else
                cache.hit(slot, marks, no_longer);
            return slot != absent;
        }
        void prefetch(Line) const {}
    };
    std::uint64_t victim(std::uint64_t set);
    void put_indexed(std::uint64_t slot, Line line);
    std::uint64_t vacancy(std::uint64_t set) const;
    void point_away(std::uint64_t slot);
    void unlink(std::uint64_t slot);
    void link_newest(std::uint64_t slot);

    // More ways than are searched are found through a table and ordered in lists.
    static constexpr std::uint32_t most_searched = 32;

    Geometry geometry_;
    Places places_;
    bool vectors_;  // sets are searched eight slots at a time
    bool indexed_;
    bool ordered_;  // the newest line of a set is in its first slot (LRU and FIFO, where sets are searched)
    std::uint64_t stride_;     // slots from one set to the next, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Tags> blocks_;
    Line* tags_;                         // the same, one after the other
    std::vector<std::uint64_t> tree_;    // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
