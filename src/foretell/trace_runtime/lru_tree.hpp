// Order-statistic tree of the lines that were not used recently, by last use.
//
// Every new line gets the next position of a long bit map; the number of more recent lines is a count of the bits after
// its own: in its leaf of 512 bits, and in whole nodes of a tree above, where each node has 16 children and a counter
// of its later siblings. Siblings are updated when a node is full; lines after the last full node of a level are
// counted separately, so only the part of the tree between a line and the newest is traversed. Positions of removed
// lines stay empty; when positions run out, the live ones are compacted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pages.hpp"
#include "vectors.hpp"

namespace foretell::trace {

class Older {
public:
    static constexpr std::uint32_t kNever = ~0u;

    Older() { grow(); }

    // Dense 32-bit number of each line: groups of lines are numbered in order of first use. Prefetches the line's data.
    std::uint32_t identity(std::uint64_t line) {
        const std::uint64_t group = line >> kGroup;
        Known& known = known_[group % kKnown];
        if (known.group != group) [[unlikely]]
            known = {group, base_of(group)};
        const std::uint32_t id = known.base | static_cast<std::uint32_t>(line & ((1u << kGroup) - 1));
        __builtin_prefetch(&places_[id]);
        return id;
    }

    // Removes a line: returns the number of lines here used after it, or kNever if it was never inserted.
    std::uint32_t take(std::uint32_t id) {
        const std::uint32_t position = places_[id];
        if (position == 0) [[unlikely]]
            return kNever;
        const std::uint32_t at = position - 1;
        std::uint32_t behind = leave_leaf(at), node = at >> kLeaf, newest = head_ >> kLeaf;
        int level = 0;
        for (; node != newest; ++level, node >>= kFan, newest >>= kFan) {
            behind += later_[level][node] + pending_[level];
            add_before(level, node, ~0u);
        }
        --pending_[level];
        return behind;
    }

    // Inserts a line as the most recent.
    void put(std::uint32_t id) {
        if (head_ == capacity_) [[unlikely]]
            compact();
        const std::uint32_t at = head_++;
        places_[id] = at + 1;
        owners_[at] = id;
        bits_[at >> 6] |= 1ull << (at & 63);
        ++pending_[0];
        if ((head_ & ((1u << kLeaf) - 1)) == 0) [[unlikely]]
            end_leaf(at);
    }

private:
    static constexpr unsigned kGroup = 14;  // lines with contiguous entries: 2^14
    static constexpr std::uint64_t kKnown = 64;
    static constexpr unsigned kLeaf = 9;  // bits of the map per lowest counter: 2^9
    static constexpr unsigned kFan = 4;   // children of a node: 2^4
    static constexpr int kLevels = 6;     // enough for 2^32 positions

    static constexpr unsigned span(int level) { return kLeaf + kFan * static_cast<unsigned>(level); }

    std::uint32_t base_of(std::uint64_t group) {
        std::uint32_t& number = *groups_.at(group);
        if (number == 0) {
            number = ++used_groups_;
            places_.grow(static_cast<std::size_t>(used_groups_) << kGroup);
        }
        return (number - 1) << kGroup;
    }

    // Clears a position; returns the number of live ones after it in its leaf. Words are read and written together: a
    // vector load soon after a partial store would stall on store forwarding.
    std::uint32_t leave_leaf(std::uint32_t at) {
        constexpr Lines number = {0, 1, 2, 3, 4, 5, 6, 7};
        std::uint64_t* words = &bits_[(at >> kLeaf) * 8];
        const Lines live = load<Lines>(words), own = Lines((at >> 6) & 7u), bit = Lines(1ull << (at & 63));
        store(words, number == own ? live & ~bit : live);
        const Lines behind = number < own ? Lines(0) : number == own ? live & ~(bit | (bit - 1)) : live;
        std::uint64_t count = 0;
        for (int word = 0; word < 8; ++word) count += static_cast<std::uint64_t>(__builtin_popcountll(behind[word]));
        return static_cast<std::uint32_t>(count);
    }

    // Adds a node's change to its earlier siblings.
    void add_before(int level, std::uint32_t node, std::uint32_t gained) {
        constexpr Counts number = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        std::uint32_t* siblings = &later_[level][node & ~15u];
        const Counts before = load<Counts>(siblings);
        store(siblings, number < (node & 15u) ? before + gained : before);
    }

    void end_leaf(std::uint32_t at) {
        for (int level = 0; (head_ & ((1ull << span(level)) - 1)) == 0; ++level) {
            add_before(level, at >> span(level), pending_[level]);
            pending_[level + 1] += pending_[level];
            pending_[level] = 0;
        }
    }

    // Compacts live positions, in order; the map grows if they fill more than half of it.
    void compact() {
        std::uint32_t kept = 0;
        for (std::uint32_t word = 0; word < capacity_ >> 6; ++word) {
            for (std::uint64_t bits = bits_[word]; bits; bits &= bits - 1) {
                const std::uint32_t id = owners_[(word << 6) + static_cast<std::uint32_t>(__builtin_ctzll(bits))];
                owners_[kept] = id;
                places_[id] = ++kept;
            }
        }
        if (kept > capacity_ / 2) grow();
        rebuild(kept);
    }

    void grow() {
        if (capacity_ == 1u << 31) fail("more than 2^30 lines");
        capacity_ = capacity_ == 0 ? 1u << 13 : capacity_ * 2;
        owners_.grow(capacity_);
        bits_.grow(capacity_ >> 6);
        for (int level = 0; level < kLevels; ++level) later_[level].grow(((capacity_ >> span(level)) + 16) & ~15u);
    }

    void rebuild(std::uint32_t kept) {
        for (std::uint32_t word = 0; word < capacity_ >> 6; ++word) {
            const std::uint32_t from = word << 6;
            bits_[word] = kept >= from + 64 ? ~0ull : kept > from ? (1ull << (kept - from)) - 1 : 0;
        }
        pending_[0] = kept & ((1u << kLeaf) - 1);
        for (int level = 0; level < kLevels; ++level) {
            const auto full = static_cast<std::uint32_t>(static_cast<std::uint64_t>(kept) >> span(level));
            for (std::uint32_t node = 0; node < later_[level].size(); ++node) {
                const std::uint32_t end = (node | 15u) + 1 < full ? (node | 15u) + 1 : full;
                later_[level][node] = node < full ? (end - node - 1) << span(level) : 0;
            }
            pending_[level + 1] = (full & 15u) << span(level);
        }
        head_ = kept;
    }

    struct Known {  // groups looked up recently
        std::uint64_t group = ~0ull;
        std::uint32_t base = 0;
    };
    Known known_[kKnown];
    std::uint32_t used_groups_ = 0;
    Directory<std::uint32_t> groups_;
    Growing<std::uint32_t> places_;  // by line: its position plus one; 0: never here
    Growing<std::uint32_t> owners_;  // by position: its line
    Growing<std::uint64_t> bits_;    // live bits
    Growing<std::uint32_t> later_[kLevels];
    std::uint32_t capacity_ = 0;
    std::uint32_t head_ = 0;                   // next position
    std::uint32_t pending_[kLevels + 1] = {};  // live ones in the last leaf, and in full nodes whose parent is not full
};

}  // namespace foretell::trace
