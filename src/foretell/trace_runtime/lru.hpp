// Exact LRU stack distances of a stream, in memory proportional to the lines touched.
//
// References are processed in blocks of about one iteration of a loop. The most recently used lines are tracked
// individually, and the effect of a block on their order is mostly memoised (block_memo.hpp); iterations on the same
// lines as the previous one only change counts. Lines from further down (lru_tree.hpp) are looked up when a block is
// read and processed later, which prefetches their data.
//
// No exceptions, no allocation but whole pages, no C++ library: this is also linked into user programs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "block_memo.hpp"
#include "lru_tree.hpp"
#include "pages.hpp"
#include "vectors.hpp"

namespace foretell::trace {

// Counts of distances: exact up to kExact, then 256 ranges per octave; first touches come last.
struct Distances {
    static constexpr std::uint32_t kExact = 1u << 16;
    static constexpr std::uint32_t kPerOctave = 256;
    static constexpr std::uint32_t kCold = kExact + 16 * kPerOctave;
    static constexpr std::uint32_t kSize = kCold + 1;

    static std::uint32_t index(std::uint32_t distance) {
        if (distance < kExact) [[likely]]
            return distance;
        const int octave = 31 - __builtin_clz(distance);  // 16 and above
        return kExact + (static_cast<std::uint32_t>(octave) - 16) * kPerOctave +
               ((distance >> (octave - 8)) - kPerOctave);
    }
    // Smallest distance of an entry; the largest is the next entry's minus one.
    static std::uint64_t first(std::uint32_t at) {
        if (at < kExact) return at;
        const std::uint32_t beyond = at - kExact;
        return static_cast<std::uint64_t>(kPerOctave + beyond % kPerOctave) << (beyond / kPerOctave + 8);
    }
};

// Highest bit of a reference: it continues the previous one, so it counts only on a line of its own.
constexpr std::uint64_t kContinued = 1ull << 63;

class Lru {
public:
    Lru(unsigned line_shift, std::uint64_t* counts)
        : shift_(line_shift), lines_(pages<std::uint64_t>(2 * kRecent + kBatch)), counts_(counts) {
        for (std::uint32_t at = 0; at < kRecent; ++at) {
            top_[at] = ~0ull - at;  // no line, all distinct
            ids_[at] = kNoLine;
            depths_[at] = static_cast<std::uint8_t>(at);
        }
    }

    unsigned shift() const { return shift_; }

    // Processes references in order.
    void touch(const std::uint64_t* reference, const std::uint64_t* last) {
        while (reference != last) {
            const std::size_t count = last - reference > kBatch ? kBatch : static_cast<std::size_t>(last - reference);
            const std::size_t lines = read_lines(reference, count);
            touch_lines(lines_ + kRecent, lines);
            for (std::size_t at = 0; at < kRecent; ++at) lines_[at] = lines_[at + lines];
            reference += count;
        }
    }

    // Flushes pending counts to the histogram: call before reading it.
    void flush() {
        for (std::size_t at = 0; at < waiting_; ++at) {
            const Move& move = moves_[at];
            const std::uint32_t below = older_.take(move.comes);
            ++move.counts[below == Older::kNever ? Distances::kCold : Distances::index(kRecent + below)];
            if (move.leaves != kNoLine) older_.put(move.leaves);
        }
        waiting_ = 0;
    }

    // Sets the histogram (Distances) from here on: each loop has its own.
    void count_in(std::uint64_t* counts) { counts_ = counts; }

private:
    static constexpr std::ptrdiff_t kBatch = 2048;
    static constexpr std::size_t kStretch = 64;
    static constexpr std::uint32_t kNoLine = ~0u;

    // Moves a line to the top, and evicts the least recently used one there.
    struct Move {
        std::uint64_t* counts;
        std::uint32_t comes, leaves;
    };

    std::size_t read_lines(const std::uint64_t* reference, std::size_t count) {
        std::uint64_t* line = lines_ + kRecent;
        std::uint64_t flags = 0;
        for (std::size_t at = 0; at < count; ++at) {
            flags |= reference[at];
            line[at] = (reference[at] & ~kContinued) >> shift_;
        }
        if ((flags & kContinued) == 0) [[likely]]
            return count;
        std::size_t kept = 0;
        for (std::size_t at = 0; at < count; ++at) {
            const std::uint64_t current = line[at];
            if ((reference[at] & kContinued) == 0 || current != (line + kept)[-1]) line[kept++] = current;
        }
        return kept;
    }

    void touch_lines(const std::uint64_t* line, std::size_t count) {
        while (count > 0) {
            if (patience_ < 0) choose_block(line, count);
            const std::size_t length = count < block_ ? count : block_;
            const Outcome& outcome = outcomes_.of(word_of(line, length));
            change_top(outcome);
            after_ = outcome.after;
            length_ = length;
            const std::size_t again = repeats(line + length, count - length);
            for (std::uint32_t kind = 0; kind < outcome.kinds; ++kind)
                counts_[outcome.distance[kind]] += outcome.times[kind] + again * outcome.again[kind];
            line += (again + 1) * length;
            count -= (again + 1) * length;
        }
    }

    // Number of following blocks on the same lines as the last one.
    [[gnu::always_inline]] std::size_t repeats(const std::uint64_t* line, std::size_t count) const {
        std::size_t same = 0;
        std::uint32_t other = 0;
        while (same < count && (other = changed(line + same, kRecent)) == 0) same += kRecent;
        if (other) same += static_cast<std::size_t>(__builtin_ctz(other));
        if (same > count) same = count;
        return same < length_ ? 0 : static_cast<std::uint32_t>(same) / static_cast<std::uint32_t>(length_);
    }

    // A bit per reference that is not on the line of the one a block before.
    [[gnu::always_inline]] std::uint32_t changed(const std::uint64_t* line, std::size_t count) const {
        const std::uint64_t* before = line - length_;
        const std::uint32_t low = different(load<Lines>(line), load<Lines>(before));
        return (low | different(load<Lines>(line + 8), load<Lines>(before + 8)) << 8) & ((1u << count) - 1);
    }

    // Depth of every line of a block; known if it is on the same line as in the previous block.
    [[gnu::always_inline]] Word word_of(const std::uint64_t* line, std::size_t length) {
        arriving_ = 0;
        std::uint32_t unknown = changed(line, length);
        Word word = after_;
        if (length != length_) [[unlikely]] {
            unknown |= ((1u << length) - 1) & ~((1u << length_) - 1);
            for (std::size_t at = length; at < kRecent; ++at) word.set(at, 0xff);
        }
        patience_ -= __builtin_popcount(unknown);
        for (std::uint64_t& half : word.half) {
            for (std::uint32_t own = unknown & 0xff; own; own &= own - 1) {
                const int at = __builtin_ctz(own);
                half = (half & ~(0xffull << 8 * at)) | static_cast<std::uint64_t>(depth_of(line[at])) << 8 * at;
            }
            unknown >>= 8;
            line += 8;
        }
        return word;
    }

    [[gnu::always_inline]] std::uint32_t depth_of(std::uint64_t line) {
        const std::uint32_t others = different(load<Lines>(top_), line) | different(load<Lines>(top_ + 8), line) << 8;
        if (others != 0xffff) return depths_[__builtin_ctz(~others)];
        std::uint32_t at = 0;
        while (at < arriving_ && arrived_[at] != line) ++at;
        if (at == arriving_) arrived_[arriving_++] = line;
        return kRecent + at;
    }

    [[gnu::always_inline]] void change_top(const Outcome& outcome) {
        if (waiting_ + kRecent > kStretch) flush();
        for (std::uint32_t arrival = 0; arrival < outcome.arriving; ++arrival) {
            const int slot = __builtin_ctz(~different(depths_, Bytes(outcome.leaving[arrival])));
            const std::uint32_t id = older_.identity(arrived_[arrival]);
            moves_[waiting_++] = {counts_, id, ids_[slot]};
            top_[slot] = arrived_[arrival];
            ids_[slot] = id;
        }
        depths_ = looked_up(outcome.moved, depths_);
    }

    // Sets the block length: the most frequent distance at which references return to their line, one iteration; short
    // ones are combined. Recomputed after a number of unexpected lines.
    void choose_block(const std::uint64_t* line, std::size_t count) {
        constexpr std::size_t kLook = 64;
        patience_ = 256;
        if (count < kLook + kRecent) return;
        std::uint32_t most = 0, best = kRecent;
        for (std::uint32_t period = 1; period <= kRecent; ++period) {
            std::uint32_t equal = 0;
            for (std::size_t at = 0; at < kLook; ++at) equal += line[at] == line[at + period];
            if (equal > most) {
                most = equal;
                best = period;
            }
        }
        block_ = best < 4 ? (3 + best) / best * best : best;
    }

    unsigned shift_;
    std::uint64_t* lines_;  // of a batch, after the last of the batch before
    std::uint64_t* counts_;
    Outcomes outcomes_;
    Older older_;
    alignas(64) std::uint64_t top_[kRecent];  // most recently used lines, in any order
    std::uint32_t ids_[kRecent];
    Bytes depths_ = {};            // number of them used after each
    std::size_t block_ = kRecent;  // references per block
    std::ptrdiff_t patience_ = 0;
    Word after_ = kNoWord;            // depths of the lines of the last block
    std::size_t length_ = 0;          // and its length
    std::uint64_t arrived_[kRecent];  // lines of this block that were not at the top
    std::uint32_t arriving_ = 0;
    Move moves_[kStretch];
    std::size_t waiting_ = 0;
};

}  // namespace foretell::trace
