// One level of a cache: which lines it holds, and which one leaves next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace foretell::cachesim {

using Line = std::uint64_t;

inline constexpr Line empty = std::numeric_limits<Line>::max() >> 1;  // no line

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

// Ways in the order of their last use, the newest lowest, so many bits for each: the order of a set is one number, and
// what an access does to it some operations without a loop.
template <typename Word, int bits>
struct Recency {
    static constexpr int fields = 8 * sizeof(Word) / bits;
    static constexpr Word field = (Word{1} << bits) - 1;
    static constexpr Word ones = (~Word{0} >> (8 * sizeof(Word) - fields * bits)) / field;  // 1 in every field

    static constexpr Word initial() {
        Word order = 0;
        for (int way = 0; way < fields; ++way) order |= static_cast<Word>(way) << (bits * way);
        return order;
    }
    static std::uint32_t newest(Word order) { return static_cast<std::uint32_t>(order & field); }
    static std::uint32_t oldest(Word order, std::uint32_t ways) {
        return static_cast<std::uint32_t>(order >> (bits * (ways - 1)) & field);
    }
    static Word rotated(Word order, std::uint32_t ways) {  // the oldest becomes the newest
        const Word used = ~Word{0} >> (8 * sizeof(Word) - bits * ways);
        return (order << bits & used) | oldest(order, ways);
    }
    static Word to_front(Word order, std::uint32_t way) {
        const Word below = (Word{1} << place(order, way)) - 1;
        return (order & ~(below << bits | field)) | (order & below) << bits | way;
    }
    static Word to_back(Word order, std::uint32_t way, std::uint32_t ways) {
        const Word below = (Word{1} << place(order, way)) - 1, above = ~(below << bits | field);
        const int last = bits * (static_cast<int>(ways) - 1);
        const Word used = ~(~Word{0} << last);  // the ways but one
        return (((order & above) >> bits | (order & below)) & used) | static_cast<Word>(way) << last;
    }

private:
    // Where the field of a way begins: the lowest field that is zero once the way's number is taken off everywhere.
    static int place(Word order, std::uint32_t way) {
        const Word rest = order ^ ones * way, zeros = (rest - ones) & ~rest & ones << (bits - 1);
        const auto low = static_cast<std::uint64_t>(zeros);
        if constexpr (sizeof(Word) == 8) return std::countr_zero(low) - (bits - 1);
        return (low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(zeros >> 63 >> 1))) -
               (bits - 1);
    }
};

// One level: where lines are, which one leaves next. Slots (set * stride + way) never move, so they can be remembered.
// A set of few ways is searched, eight at a time: a byte of each line's number finds it.
class Cache {
public:
    static constexpr std::uint64_t absent = std::numeric_limits<std::uint64_t>::max();

    Cache(const Geometry& geometry, std::uint64_t seed);

    const Geometry& geometry() const { return geometry_; }
    Line line_of(std::uint64_t address) const {
        return shift_ >= 0 ? address >> shift_ : address / geometry_.line;
    }
    bool holds(std::uint64_t slot, Line line) const { return (tags_[slot] ^ line) << 1 == 0; }
    std::uint64_t find(Line line) const {
        if (indexed_) return find_indexed(line);
        const std::uint64_t set = set_of(line), first = set << stride_bits_, pattern = print_of(line) * every_byte;
        for (std::uint32_t at = 0; at < geometry_.ways; at += 8) {
            std::uint64_t found = zero_bytes(sets_[set].prints[at / 8] ^ pattern);
            for (; found; found &= found - 1) {
                const std::uint64_t slot = first + at + std::countr_zero(found) / 8;
                if (holds(slot, line)) return slot;
            }
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
        if (indexed_) {
            put_indexed(slot, line);
        } else {
            print(slot, print_of(line));
            make_newest(slot);
        }
        if (geometry_.policy == Policy::plru) touch_other(slot);
        tags_[slot] = line | (dirty ? dirty_mark : 0);
    }
    // Puts a line where the policy wants it; what was there, with its mark.
    Line exchange(Line line, bool dirty, std::uint64_t& slot) {
        const std::uint64_t set = line & static_cast<std::uint64_t>(mask_);
        if (plain_) {
            std::uint64_t& order = sets_[set].order[0];
            const std::uint32_t way = Few::oldest(order, geometry_.ways);
            slot = (set << stride_bits_) + way;
            if (pins_.empty() || pins_[slot] == 0) {
                order = Few::rotated(order, geometry_.ways);
                print(slot, print_of(line));
                return std::exchange(tags_[slot], line | Line{dirty} << 63);
            }
        }
        slot = victim(line);
        const Line leaving = tags_[slot];
        put(slot, line, dirty);
        return leaving;
    }
    static bool is_dirty(Line tag) { return tag >> 63; }
    static Line clean(Line tag) { return tag & ~dirty_mark; }
    void remove(std::uint64_t slot);
    Line tag(std::uint64_t slot) const { return tags_[slot] & ~dirty_mark; }
    bool dirty(std::uint64_t slot) const { return tags_[slot] & dirty_mark; }
    void mark(std::uint64_t slot) { tags_[slot] |= dirty_mark; }
    std::uint64_t dirty_lines() const;
    // A line that is in use is newer than all others, whatever its place in the order says: no victim.
    void allow_pins() { pins_.assign(sets_.size() << stride_bits_, 0); }
    void pin(std::uint64_t slot) { ++pins_[slot]; }
    void unpin(std::uint64_t slot) { --pins_[slot]; }
    // Whether a line of the set of this one is not in use.
    bool has_room(Line line) const {
        const std::uint64_t set = set_of(line), first = set << stride_bits_;
        if (!indexed_ && pins_[oldest(set)] == 0) return true;
        const auto from = pins_.begin() + static_cast<std::ptrdiff_t>(first);
        return std::find(from, from + geometry_.ways, 0u) != from + geometry_.ways;
    }
    // Asks the real caches for what the simulated one will look at soon.
    void prefetch(std::uint64_t address) const {
        if (indexed_) return;
        const std::uint64_t set = set_of(line_of(address)), first = set << stride_bits_;
        __builtin_prefetch(&sets_[set]);
        for (std::uint32_t way = 0; way < geometry_.ways; way += 8) __builtin_prefetch(&tags_[first + way]);
    }

private:
    __extension__ using Wide = unsigned __int128;
    using Few = Recency<std::uint64_t, 4>;
    using Many = Recency<Wide, 5>;

    // A print is no_line, no_way or a hash of the line.
    struct alignas(64) Set {
        std::uint64_t prints[4];
        std::uint64_t order[2];
    };
    static Wide whole(const Set& set) { return static_cast<Wide>(set.order[1]) << 64 | set.order[0]; }
    static void order(Set& set, Wide order) {
        set.order[0] = static_cast<std::uint64_t>(order);
        set.order[1] = static_cast<std::uint64_t>(order >> 64);
    }
    struct alignas(64) Tags {
        Line lines[8];
    };
    static constexpr Line dirty_mark = Line{1} << 63;
    static constexpr std::uint8_t no_line = 0, no_way = 1, first_print = 2;
    static constexpr std::uint64_t every_byte = 0x0101010101010101;

    // A mark in the lowest byte that is zero; perhaps, too, in some above it.
    static std::uint64_t zero_bytes(std::uint64_t word) { return (word - every_byte) & ~word & every_byte << 7; }
    static std::uint8_t print_of(Line line) {
        const std::uint8_t hash = line * 0x9e3779b97f4a7c15 >> 56;
        return hash < first_print ? hash + first_print : hash;
    }
    void print(std::uint64_t slot, std::uint8_t value) {
        const std::uint64_t way = slot & (stride_ - 1);
        std::uint64_t& word = sets_[slot >> stride_bits_].prints[way / 8];
        const int at = 8 * static_cast<int>(way % 8);
        word = (word & ~(std::uint64_t{255} << at)) | std::uint64_t{value} << at;
    }
    std::uint64_t set_of(Line line) const { return mask_ >= 0 ? line & mask_ : line % geometry_.sets; }
    std::uint64_t oldest(std::uint64_t set) const {
        return (set << stride_bits_) + (few_ ? Few::oldest(sets_[set].order[0], geometry_.ways)
                                             : Many::oldest(whole(sets_[set]), geometry_.ways));
    }
    void make_newest(std::uint64_t slot) {
        Set& set = sets_[slot >> stride_bits_];
        const auto way = static_cast<std::uint32_t>(slot & (stride_ - 1));
        if (!few_)
            order(set, Many::to_front(whole(set), way));
        else if (Few::newest(set.order[0]) != way)
            set.order[0] = Few::to_front(set.order[0], way);
    }
    void make_oldest(std::uint64_t slot);
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
    bool plain_;               // LRU, few ways, a power of two of sets: what most levels are
    bool few_, indexed_;       // ways: few fit a word; more than are searched are found through a table and ordered in lists
    std::uint64_t stride_;     // slots from one set to the next, a power of two
    int stride_bits_;
    std::uint64_t random_;
    std::vector<Set> sets_;
    std::vector<Tags> tag_blocks_;
    Line* tags_;                         // the same, one after the other
    std::vector<std::uint32_t> pins_;    // users of a slot, where there may be any
    std::vector<std::uint64_t> tree_;    // PLRU bits of a set
    std::unordered_map<Line, std::uint64_t> index_;
    std::vector<std::uint64_t> older_, newer_, oldest_, newest_;  // lists of an indexed cache, by slot and by set
    std::vector<std::vector<std::uint64_t>> vacant_;              // empty slots of an indexed cache, by set
};

}  // namespace foretell::cachesim
