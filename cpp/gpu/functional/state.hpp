// State of a warp and of its block, and values with a known bit for each lane. Private to the functional core.
#pragma once

#include <bit>
#include <unordered_map>

#include "gpu/functional/functional.hpp"

namespace foretell::functional {

using Mask = std::uint32_t;
inline constexpr Mask all_lanes = 0xffffffffu;

// Lanes of a mask, mostly all or none: without a processor's instruction for it, std::popcount is a call.
inline std::uint32_t count_of(Mask mask) {
    if (mask == all_lanes) return lanes;
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    return ((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

// A 32-bit value per lane.
struct Value {
    std::array<std::uint32_t, lanes> v{};
    Mask known = all_lanes;
};

inline Value broadcast(std::uint32_t value) {
    Value result;
    result.v.fill(value);
    return result;
}

struct Wide {
    std::array<std::uint64_t, lanes> v{};
    Mask known = all_lanes;
};

// A truth value per lane.
struct Truth {
    Mask v = 0;
    Mask known = all_lanes;
};

// Values of `f` at every lane, as a Value or a Wide.
template <class Lanes = Value, class F>
Lanes lanewise(Mask known, F&& f) {
    Lanes result;
    result.known = known;
    for (int lane = 0; lane < lanes; ++lane)
        result.v[lane] = static_cast<typename decltype(result.v)::value_type>(f(lane));
    return result;
}

template <class F>
Truth truths(Mask known, F&& f) {
    Truth result{0, known};
    for (int lane = 0; lane < lanes; ++lane) result.v |= static_cast<Mask>(f(lane)) << lane;
    return result;
}

inline constexpr int registers = 256, uniform_registers = 256, predicates = 8, barriers = 16;
inline constexpr int whole_warp = barriers;  // index of WARPSYNC after the convergence barriers

struct Word {
    std::uint32_t value = 0;
    bool known = false;
};

inline Value broadcast(const Word& word) {
    Value result;
    result.v.fill(word.value);
    result.known = word.known ? all_lanes : 0;
    return result;
}

// A word of memory with a known bit for each byte.
inline constexpr std::uint8_t whole_word = 15;

struct Cell {
    std::uint32_t value = 0;
    std::uint8_t known = 0;
};

// Values of operands that do not change during a launch, in all lanes, once they were read.
struct Literals {
    explicit Literals(std::size_t count) : values(count), known(count) {}
    std::vector<Value> values;
    std::vector<std::uint8_t> known;
};

// What threads said at a barrier: how many that their predicate holds, at least and at most, and how many were there.
struct Vote {
    std::uint32_t least = 0, most = 1, all = 1;
    char combine = '+';  // + counts, & whether all, | whether any
};

struct Warp {
    Literals* literals = nullptr;
    std::vector<Value> r;  // as many as the program uses
    std::array<Word, uniform_registers> ur;
    std::array<Truth, predicates> p;
    std::array<Truth, predicates> up;
    std::array<std::uint32_t, lanes> pc{};
    std::array<std::int8_t, lanes> group{};  // lanes with one number run together until they diverge
    std::array<std::int8_t, lanes> waits{};  // convergence barrier that a lane of `converging` waits at
    std::array<Mask, barriers + 1> convergence{};
    bool apart = false;              // diverged: more than one group
    bool guessed = false;            // the outcome of a branch was assumed
    bool took_for_ordinary = false;  // an unknown number was compared with an extreme one
    Mask exited = 0, at_barrier = 0, converging = 0;
    Truth said{0, 0};         // by the lanes at a barrier
    Vote vote;                // of the last barrier
    Mask running = 0;         // diverged: the group that ran last, until control flow changes groups
    std::uint32_t until = 0;  // the lowest PC of the others then: it runs as long as it is below
    std::uint32_t first_thread = 0;
    std::uint64_t constants_read = ~std::uint64_t{0};  // end of the constants that it has walked through by an index
    std::unordered_map<std::uint64_t, Cell> local;     // lane << 32 | word address

    Mask alive() const { return ~exited; }
    bool done() const { return exited == all_lanes; }
    bool waiting() const { return !done() && (alive() & ~at_barrier) == 0; }

    Truth guard(const Instruction& instruction) const {
        if (instruction.guard_never) return {0, all_lanes};
        if (instruction.guard < 0) return {all_lanes, all_lanes};
        const Truth truth = (instruction.guard_uniform ? up : p)[instruction.guard];
        return {instruction.guard_negated ? ~truth.v : truth.v, truth.known};
    }
};

// What a word of shared memory held before a warp wrote to it after the last barrier.
struct Earlier {
    Cell cell;
    std::uint32_t phase = ~0u, warp = 0;
};

struct Block {
    std::uint32_t x = 0, y = 0, z = 0;
    std::vector<Cell> shared;
    std::vector<Earlier> earlier;  // of each word; empty where warps wait for each other by other means than barriers
    std::uint32_t phase = 0;       // barriers passed

    // What a warp reads: warps run one after another from barrier to barrier, but side by side on hardware, so that what
    // another wrote since is not there yet. Only code with a race asks for it: after a barrier all read a sum, and the
    // first of them goes on to the next one in the same place.
    const Cell& read_by(const Warp& warp, std::size_t word) const {
        if (earlier.empty()) return shared[word];
        const Earlier& before = earlier[word];
        return before.phase == phase && before.warp != warp.first_thread ? before.cell : shared[word];
    }

    Cell& write_by(const Warp& warp, std::size_t word) {
        if (!earlier.empty()) {
            Earlier& before = earlier[word];
            if (before.phase != phase) before = {shared[word], phase, warp.first_thread};
            before.warp = warp.first_thread;
        }
        return shared[word];
    }

    std::uint32_t rank(const std::array<std::uint32_t, 3>& cluster) const {
        return x % cluster[0] + cluster[0] * (y % cluster[1] + cluster[1] * (z % cluster[2]));
    }
};

// Lowest bytes of a word, extended to 32 bits.
inline std::uint32_t narrowed(std::uint32_t word, int bytes, bool is_signed) {
    if (bytes >= 4) return word;
    const std::uint32_t mask = (1u << 8 * bytes) - 1, part = word & mask;
    return is_signed && part > mask >> 1 ? part | ~mask : part;
}

template <class F>
void each(Mask mask, F&& f) {
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

}  // namespace foretell::functional
