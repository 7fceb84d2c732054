// Memoises the effect of a short block of references on the most recently used lines.
//
// The kRecent most recently used lines, in order, are the top of the LRU stack: a line's depth there is its stack
// distance. A block is encoded as a word of depths, one per reference; a line from further down has no depth yet and is
// numbered kRecent, the next such line kRecent + 1… The word alone determines all distances inside the block and the
// new order. Loops produce few different words, mostly followed by the same one as last time, so the effect of each is
// computed once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pages.hpp"
#include "vectors.hpp"

namespace foretell::trace {

constexpr std::uint32_t kRecent = 16;  // lines at the top, and the longest block: every line of a block stays there

// A depth per reference of a block; 0xff after the end of a shorter one.
struct Word {
    std::uint64_t half[2];
    std::uint8_t operator[](std::size_t at) const { return static_cast<std::uint8_t>(half[at / 8] >> (at % 8 * 8)); }
    void set(std::size_t at, std::uint64_t depth) {
        half[at / 8] = (half[at / 8] & ~(0xffull << (at % 8 * 8))) | depth << (at % 8 * 8);
    }
    bool operator==(const Word&) const = default;
};
constexpr Word kNoWord = {{~0ull, ~0ull}};

struct Outcome {
    Word word = kNoWord;      // depths before the block
    Word after = kNoWord;     // depths of the same lines after it
    Bytes moved = {};         // new depth of each old one; an evicted line's entry is reused by a new one
    Outcome* next = nullptr;  // outcome that followed last time
    std::uint8_t arriving = 0;
    std::uint8_t kinds = 0;              // distinct distances at the top
    std::uint8_t leaving[kRecent] = {};  // old depths of the lines that new ones evict, the oldest first
    std::uint8_t distance[2 * kRecent] = {};
    std::uint8_t times[2 * kRecent] = {};  // occurrences of each in the block,
    std::uint8_t again[2 * kRecent] = {};  // and in each block after it on the same lines
};

class Outcomes {
public:
    Outcomes() {
        for (std::size_t at = 0; at <= kEntries; ++at) table_[at] = {.next = table_};
    }

    const Outcome& of(const Word& word) {
        if (!(last_->next->word == word)) [[unlikely]]
            last_->next = find(word);
        last_ = last_->next;
        return *last_;
    }

private:
    static constexpr unsigned kBits = 10;
    static constexpr std::size_t kEntries = std::size_t{1} << kBits;

    Outcome* find(const Word& word) {
        const std::uint64_t mixed = word.half[0] * 0x9e3779b97f4a7c15ull + word.half[1] * 0xc2b2ae3d27d4eb4full;
        Outcome* known = &table_[mixed >> (64 - kBits)];
        if (!(known->word == word)) work_out(word, *known);
        return known;
    }

    // A stack of depths, and of new lines after them, most recently used first.
    struct Stack {
        std::uint8_t depth[2 * kRecent];
        std::uint32_t size = kRecent;
        Stack() {
            for (std::uint32_t at = 0; at < kRecent; ++at) depth[at] = static_cast<std::uint8_t>(at);
        }

        // Moves every line of the block to the front (definition of LRU), and counts its old position.
        void use(const Word& word, Outcome& made, std::uint8_t* counted) {
            for (std::size_t at = 0; at < kRecent && word[at] != 0xff; ++at) {
                std::uint32_t from = 0;
                while (from < size && depth[from] != word[at]) ++from;
                if (from < size) {
                    ++counted[kind_of(made, from)];
                } else {
                    ++size;
                }
                for (; from > 0; --from) depth[from] = depth[from - 1];
                depth[0] = word[at];
            }
        }
    };

    void work_out(const Word& word, Outcome& made) {
        made = {.word = word, .next = table_};
        Stack stack;
        stack.use(word, made, made.times);
        made.arriving = static_cast<std::uint8_t>(stack.size - kRecent);
        for (std::uint32_t arrival = 0; arrival < made.arriving; ++arrival)
            made.leaving[arrival] = stack.depth[stack.size - 1 - arrival];
        for (std::uint32_t depth = 0; depth < kRecent; ++depth) {
            const std::uint8_t before = stack.depth[depth];
            made.moved[before < kRecent ? before : made.leaving[before - kRecent]] = static_cast<std::uint8_t>(depth);
            for (std::size_t at = 0; at < kRecent; ++at)
                if (word[at] == before) made.after.set(at, depth);
        }
        stack.use(word, made, made.again);
    }

    static std::uint32_t kind_of(Outcome& made, std::uint32_t distance) {
        std::uint32_t kind = 0;
        while (kind < made.kinds && made.distance[kind] != distance) ++kind;
        if (kind == made.kinds) made.distance[made.kinds++] = static_cast<std::uint8_t>(distance);
        return kind;
    }

    Outcome* table_ = pages<Outcome>(kEntries + 1);
    Outcome* last_ = table_ + kEntries;  // no block yet
};

}  // namespace foretell::trace
