// One LRU cache level: its geometry, and its lines.
#pragma once

#include <bit>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace foretell::cachesim {

using Line = std::uint64_t;

// Dirty bit, above the line number.
inline constexpr Line dirty_mark = Line{1} << 63;
inline constexpr Line empty = ~dirty_mark;  // no line

struct Geometry {
    std::uint64_t sets;
    std::uint32_t ways;
    std::uint64_t line;  // bytes; a multiple of the inner level's line
};

// Maps addresses to lines, and lines to sets.
struct Places {
    explicit Places(const Geometry& geometry) : line(geometry.line), sets(geometry.sets) {
        if (std::has_single_bit(line)) line_bits = std::countr_zero(line);
        if (std::has_single_bit(sets)) set_bits = std::countr_zero(sets);
    }

    Line line_of(std::uint64_t address) const { return line_bits >= 0 ? address >> line_bits : address / line; }
    std::uint64_t set_of(Line number) const { return set_bits >= 0 ? number & (sets - 1) : number % sets; }
    // Position of a set in memory. Columns hit sets a power of two apart; in their own order, those would conflict in
    // few sets of the host's caches.
    std::uint64_t place_of(std::uint64_t set) const { return set_bits >= 0 ? set ^ set >> 6 : set; }

    std::uint64_t line, sets;
    int line_bits = -1, set_bits = -1;  // log2 of these, or -1
};

// Lines of one level with their marks. Small sets are searched, most recently used line first; large ones use a hash
// table and linked lists.
class Cache {
public:
    explicit Cache(const Geometry& geometry);

    const Places& places() const { return places_; }
    bool holds(Line line) const;
    // Makes a line the most recently used one of its set, and adds marks to it. Returns whether it was present.
    bool access(Line line, Line marks);
    // Inserts an absent line; returns the least recently used one, which it replaces, with its marks.
    Line insert(Line line, Line marks);
    std::uint64_t dirty_lines() const;

private:
    static constexpr std::uint32_t most_searched = 32;

    Places places_;
    std::uint64_t ways_;
    std::vector<Line> tags_;              // of small sets
    std::vector<std::list<Line>> lists_;  // of large ones
    std::unordered_map<Line, std::list<Line>::iterator> index_;
};

}  // namespace foretell::cachesim
