// One cache level: its lines and its replacement policy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace foretell::cachesim {

using Line = std::uint64_t;

// Dirty bit, above the line number.
inline constexpr Line dirty_mark = Line{1} << 63;
inline constexpr Line empty = ~dirty_mark;  // no line

enum class Policy { lru, fifo, plru, random };

// Inclusion with respect to the inner levels. An exclusive level is filled by the victims of the next inner one.
enum class Inclusion { none, inclusive, exclusive };

struct Geometry {
    std::uint64_t sets;
    std::uint32_t ways;
    std::uint64_t line;  // bytes; a multiple of the inner level's line
    Policy policy = Policy::lru;
    Inclusion inclusion = Inclusion::none;
    bool write_allocate = true;
};

// Maps addresses to lines, and lines to sets.
struct Places {
    explicit Places(const Geometry& geometry);

    Line line_of(std::uint64_t address) const { return line_bits >= 0 ? address >> line_bits : address / line; }
    std::uint64_t set_of(Line number) const { return set_bits >= 0 ? number & (sets - 1) : number % sets; }
    // Position of a set in memory. Columns hit sets a power of two apart; in their own order, those would conflict in
    // few sets of the host's caches.
    std::uint64_t place_of(std::uint64_t set) const { return set_bits >= 0 ? set ^ set >> 6 : set; }
    // Tag of a line within its set, and back.
    std::uint64_t tag_of(Line number) const { return set_bits >= 0 ? number >> set_bits : number / sets; }
    Line line_at(std::uint64_t tag, std::uint64_t set) const { return tag * sets + set; }

    std::uint64_t line, sets;
    int line_bits = -1, set_bits = -1;  // log2 of these, or -1
};

// One level: finds lines and selects victims. A slot (set * stride + way) is valid until the set changes.
class Cache {
public:
    static constexpr std::uint64_t absent = ~std::uint64_t{0};

    Cache(const Geometry& geometry, std::uint64_t seed);

    const Geometry& geometry() const { return geometry_; }
    const Places& places() const { return places_; }
    Line line_of(std::uint64_t address) const { return places_.line_of(address); }
    std::uint64_t find(Line line) const;
    // Records a hit and adds marks to the line: all that FIFO and random replacement need.
    void hit(std::uint64_t slot, Line marks = 0);
    // Inserts a line according to the policy; returns the victim with its marks.
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

    // Sets with more ways than this use a hash table and linked lists instead of a search.
    static constexpr std::uint32_t most_searched = 32;

    Geometry geometry_;
    Places places_;
    bool indexed_;
    bool ordered_;          // the newest line of a set is in its first slot (LRU and FIFO, if sets are searched)
    std::uint64_t stride_;  // distance of two sets in slots, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Line> tags_;
    std::vector<std::uint64_t> tree_;  // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
