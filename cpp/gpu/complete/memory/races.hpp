// Races: two accesses of one word by threads of different warps, of which one writes, without an order between them.
//
// Order within a block comes from its barriers: each warp has a vector clock (how far it knows of every warp of its block;
// Lamport 1978, Mattern 1989), and a barrier joins those of the warps that meet. Atomics and strong accesses (volatile,
// acquire, release) of one word do not race with each other, and order what was before the write with what follows the
// read; between blocks this is taken generously: all that was executed before. Lanes of one warp are ordered by its
// program, but in one store: different values for one word race. A write of what is there already counts as a read.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gpu/complete/dense.hpp"

namespace foretell::complete {

struct Access {
    std::uint64_t time = 0, block = 0;
    std::uint32_t clock = 0, instruction = 0, thread = 0;  // of the warp; in the text; in the block
    std::uint8_t bytes = 0;                                // of the word, one bit each
    bool writes = false, orders = false;                   // orders: an atomic or strong access
};

// Accesses of a word that later ones may race with.
using Cell = std::vector<Access>;

// The order of the warps of a block, and its shared memory.
class BlockOrder {
public:
    BlockOrder(std::size_t warps, std::size_t shared_bytes);
    std::uint32_t clock(std::uint32_t warp) const { return known_[warp * warps_ + warp]; }
    // Whether a warp knows of what another one did at a clock.
    bool knows(std::uint32_t warp, std::uint32_t other, std::uint32_t clock) const {
        return warp == other || clock < known_[warp * warps_ + other];
    }
    void arrive(int barrier, std::uint32_t warp);
    void leave(int barrier, std::uint32_t warp);  // a barrier lets a warp go on
    void reset(int barrier) { gathered_[barrier].clear(); }
    void end(std::uint32_t warp);  // barriers do not wait for it
    void acquire(std::uint32_t warp);

    std::vector<Cell> shared;
    std::uint64_t acquired = 0;  // what other blocks did before is ordered

private:
    void step(std::uint32_t warp) { ++known_[warp * warps_ + warp]; }
    std::size_t warps_;
    std::vector<std::uint32_t> known_;
    std::array<std::vector<std::uint32_t>, 16> gathered_;
};

class RaceCheck {
public:
    RaceCheck(const Text& text, std::uint64_t most_words);
    void note(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool shared, bool writes);
    void conflict(Worker& w, const Dense& d, int lane, int other, std::uint64_t address, bool shared);
    std::vector<Race> races() const;
    bool is_limited() const { return limited_; }
    // The text whose accesses are noted.
    const Text& text() const { return checked_; }

private:
    static constexpr std::size_t page_words = 1024;
    Cell* cell(BlockOrder& order, std::uint64_t word, bool shared);
    void visit(Worker& w, Cell& cell, const Access& now, std::uint64_t address, bool shared);
    bool ordered(const Worker& w, const Access& before, const Access& now) const;
    void add(const Access& first, const Access& second, std::uint64_t address, bool shared);

    Text checked_;
    std::vector<bool> orders_;  // by instruction
    std::unordered_map<std::uint64_t, std::unique_ptr<std::array<Cell, page_words>>> pages_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Race> found_;
    std::uint64_t time_ = 0, words_left_ = 0;
    bool limited_ = false;
};

}  // namespace foretell::complete
