// One level of a cache: which lines it holds, and which one leaves next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace foretell::cachesim {

using Line = std::uint64_t;

// A mark in the bit above the number of a line: changed since it came.
inline constexpr Line dirty_mark = Line{1} << 63;
inline constexpr Line empty = ~dirty_mark;  // no line

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

// Which set a line belongs to, and which line an address.
struct Places {
    explicit Places(const Geometry& geometry);

    Line line_of(std::uint64_t address) const { return line_bits >= 0 ? address >> line_bits : address / line; }
    std::uint64_t set_of(Line number) const { return set_bits >= 0 ? number & (sets - 1) : number % sets; }
    // Where a set stands among the others. Columns meet every so many sets, a power of two: those would stand in the same
    // few sets of the real caches if the order were their own.
    std::uint64_t place_of(std::uint64_t set) const { return set_bits >= 0 ? set ^ set >> 6 : set; }
    // What tells the lines of a set apart, and back.
    std::uint64_t tag_of(Line number) const { return set_bits >= 0 ? number >> set_bits : number / sets; }
    Line line_at(std::uint64_t tag, std::uint64_t set) const { return tag * sets + set; }

    std::uint64_t line, sets;
    int line_bits = -1, set_bits = -1;  // log2 of these, or -1
};

// One level: where lines are, which one leaves next. A slot (set * stride + way) is a line's until the set changes.
class Cache {
public:
    static constexpr std::uint64_t absent = ~std::uint64_t{0};

    Cache(const Geometry& geometry, std::uint64_t seed);

    const Geometry& geometry() const { return geometry_; }
    const Places& places() const { return places_; }
    Line line_of(std::uint64_t address) const { return places_.line_of(address); }
    std::uint64_t find(Line line) const;
    // A hit, and marks that the line gets: FIFO and random replacement see no more of it.
    void hit(std::uint64_t slot, Line marks = 0);
    // Puts a line where the policy wants it; what was there, with its marks.
    Line exchange(Line line, Line marks);
    void remove(std::uint64_t slot);
    static bool is_dirty(Line tag) { return tag & dirty_mark; }
    static Line clean(Line tag) { return tag & empty; }
    bool dirty(std::uint64_t slot) const { return is_dirty(tags_[slot]); }
    std::uint64_t dirty_lines() const;

private:
    Line* set_at(std::uint64_t set) { return &tags_[set << stride_bits_]; }
    const Line* set_at(std::uint64_t set) const { return &tags_[set << stride_bits_]; }
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
    bool indexed_;
    bool ordered_;          // the newest line of a set is in its first slot (LRU and FIFO, where sets are searched)
    std::uint64_t stride_;  // slots from one set to the next, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Line> tags_;
    std::vector<std::uint64_t> tree_;  // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
