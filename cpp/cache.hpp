// One level of a cache: which lines it holds, and which one leaves next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <vector>

namespace foretell::cachesim {

using Line = std::uint64_t;

inline constexpr Line empty = std::numeric_limits<Line>::max();  // no line

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

// One level: where lines are, which one leaves next. Slots (set * stride + way) never move, so they can be remembered.
// A set of few ways is searched, 16 ways at a time: a byte of each line's number finds it, a byte of rank orders it.
class Cache {
public:
    static constexpr std::uint64_t absent = std::numeric_limits<std::uint64_t>::max();

    Cache(const Geometry& geometry, std::uint64_t seed);

    const Geometry& geometry() const { return geometry_; }
    Line line_of(std::uint64_t address) const {
        return shift_ >= 0 ? address >> shift_ : address / geometry_.line;
    }
    bool holds(std::uint64_t slot, Line line) const { return tags_[slot] == line; }
    std::uint64_t find(Line line) const {
        if (indexed_) return find_indexed(line);
        const std::uint64_t first = set_of(line) << stride_bits_;
        for (std::uint64_t at = first; at < first + stride_; at += lanes) {
            Matches found(groups_[at / lanes].prints, print_of(line));
            for (; found.any(); found.drop_first())
                if (tags_[at + found.first()] == line) return at + found.first();
        }
        return absent;
    }
    // A hit: FIFO and random replacement do not see it.
    void touch(std::uint64_t slot) {
        if (geometry_.policy == Policy::lru && !indexed_)
            make_newest(slot);
        else
            touch_other(slot);
    }
    // Where a new line goes: an empty slot of its set, or the one whose line the policy gives up. Empty slots are the oldest.
    std::uint64_t victim(Line line) {
        if (indexed_ || geometry_.policy == Policy::plru || geometry_.policy == Policy::random) return other_victim(line);
        const std::uint64_t set = set_of(line);
        std::uint64_t slot = oldest(set);
        if (pins_.empty()) return slot;
        for (; pins_[slot] > 0; slot = oldest(set)) make_newest(slot);
        return slot;
    }
    void put(std::uint64_t slot, Line line, bool dirty) {
        Group& group = groups_[slot / lanes];
        group.dirty[slot % lanes] = dirty;
        if (indexed_) {
            put_indexed(slot, line);
        } else {
            group.prints = with(group.prints, slot, print_of(line));
            make_newest(slot);
            if (geometry_.policy == Policy::plru) touch_other(slot);
        }
        tags_[slot] = line;
    }
    void remove(std::uint64_t slot);
    Line tag(std::uint64_t slot) const { return tags_[slot]; }
    bool dirty(std::uint64_t slot) const { return groups_[slot / lanes].dirty[slot % lanes]; }
    void mark(std::uint64_t slot) { groups_[slot / lanes].dirty[slot % lanes] = 1; }
    std::uint64_t dirty_lines() const;
    // A line that is in use is newer than all others, whatever its place in the order says: no victim.
    void allow_pins() { pins_.assign(tags_.size(), 0); }
    void pin(std::uint64_t slot) { ++pins_[slot]; }
    void unpin(std::uint64_t slot) { --pins_[slot]; }
    bool all_pinned(Line line) const {
        const auto first = pins_.begin() + static_cast<std::ptrdiff_t>(set_of(line) << stride_bits_);
        return std::find(first, first + geometry_.ways, 0u) == first + geometry_.ways;
    }
    // Asks the real caches for what the simulated one will look at soon.
    void prefetch(std::uint64_t address) const {
        if (indexed_) return;
        const std::uint64_t first = set_of(line_of(address)) << stride_bits_;
        __builtin_prefetch(&groups_[first / lanes]);
        for (std::uint32_t way = 0; way < geometry_.ways; way += 8) __builtin_prefetch(&tags_[first + way]);
    }

private:
    static constexpr std::uint64_t lanes = 16;
    using Bytes = std::uint8_t __attribute__((vector_size(lanes)));
    // Ways of one set. A print is no_line, no_way or a hash of the line; a rank is 0 for the newest. A line of a real cache
    // holds what is known of a group but for its tags.
    struct alignas(64) Group {
        Bytes prints, ranks;
        std::uint8_t dirty[lanes];
    };
    static constexpr Bytes numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static constexpr std::uint8_t no_line = 0, no_way = 1, first_print = 2, no_rank = 255;

    // The lanes of a group that hold a value, one after the other.
    class Matches {
    public:
        Matches(Bytes group, std::uint8_t value) {
            const auto equal = group == value;
            std::memcpy(half_, &equal, sizeof half_);
        }
        bool any() const { return half_[0] | half_[1]; }
        std::uint32_t first() const {
            return half_[0] ? std::countr_zero(half_[0]) / 8 : 8 + std::countr_zero(half_[1]) / 8;
        }
        void drop_first() {
            std::uint64_t& half = half_[0] ? half_[0] : half_[1];
            half &= ~(std::uint64_t{255} << std::countr_zero(half));
        }

    private:
        std::uint64_t half_[2];
    };

    // The lane of a slot in the group that starts at `at`; beyond all lanes where it is in another one.
    static std::uint8_t lane(std::uint64_t slot, std::uint64_t at) {
        return slot - at < lanes ? static_cast<std::uint8_t>(slot - at) : lanes;
    }
    static Bytes with(Bytes group, std::uint64_t slot, std::uint8_t value) {
        return numbers == static_cast<std::uint8_t>(slot % lanes) ? value - Bytes{} : group;
    }
    static std::uint8_t print_of(Line line) {
        const std::uint8_t hash = line * 0x9e3779b97f4a7c15 >> 56;
        return hash < first_print ? hash + first_print : hash;
    }
    std::uint64_t set_of(Line line) const { return mask_ >= 0 ? line & mask_ : line % geometry_.sets; }
    std::uint8_t rank(std::uint64_t slot) const { return groups_[slot / lanes].ranks[slot % lanes]; }
    void make_newest(std::uint64_t slot) {
        const std::uint8_t old = rank(slot);
        if (old == 0) return;
        const std::uint64_t first = slot >> stride_bits_ << stride_bits_;
        for (std::uint64_t at = first; at < first + stride_; at += lanes) {
            Bytes& ranks = groups_[at / lanes].ranks;
            // A comparison that holds is -1. Whole groups are stored: a byte would have to be waited for.
            ranks = (ranks - static_cast<Bytes>(ranks < old)) & static_cast<Bytes>(numbers != lane(slot, at));
        }
    }
    void make_oldest(std::uint64_t slot);
    std::uint64_t oldest(std::uint64_t set) const {
        for (std::uint64_t at = set << stride_bits_;; at += lanes) {
            const Matches found(groups_[at / lanes].ranks, static_cast<std::uint8_t>(geometry_.ways - 1));
            if (found.any()) return at + found.first();
        }
    }
    std::uint64_t other_victim(Line line);
    void put_indexed(std::uint64_t slot, Line line);
    std::uint64_t vacancy(std::uint64_t set) const;
    std::uint64_t find_indexed(Line line) const;
    void touch_other(std::uint64_t slot);
    void unlink(std::uint64_t slot);
    void link_newest(std::uint64_t slot);

    Geometry geometry_;
    int shift_ = -1;           // log2 of the line size, or -1
    std::int64_t mask_ = -1;   // sets - 1 where that is a mask, or -1
    bool indexed_;             // many ways: found through a table and ordered in lists
    std::uint64_t stride_;     // slots from one set to the next, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Line> tags_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> pins_;    // users of a slot, where there may be any
    std::vector<std::uint64_t> tree_;    // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
