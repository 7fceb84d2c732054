// Where the instructions of a block access memory, and how that shifts from block to block. Private to this folder.
#pragma once

#include <algorithm>
#include <limits>
#include <map>

#include "gpu/memory/sectors.hpp"
#include "gpu/sector_mask.hpp"

namespace foretell::gpumemory {

using functional::Access;
using functional::BlockTrace;

using Shift = std::array<std::int64_t, 3>;  // bytes per step in x, y and z

// Accesses of an instruction to one of several arrays.
struct Part {
    Shift shift{0, 0, 0};
    std::array<bool, 3> known{};         // by axis
    std::vector<std::int64_t> granules;  // of the middle block
};

struct Pattern {
    bool seen = false, even = true;
    Shift shift{0, 0, 0};
    std::map<std::int32_t, Part> parts;  // by array
    std::vector<std::int64_t> granules;  // of the middle block, distinct, ascending
    double unknown = 0;                  // lanes
    double sectors = 0;                  // requested, with repetitions
    double lines = 0;
    std::int32_t array = -1;

    // Whether blocks that differ in one grid coordinate request the same data at the same point.
    bool common(const Question& q) const {
        if (!seen || !even) return false;
        return std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
            for (int axis = 0; axis < 3; ++axis)
                if (q.neighbour[axis] >= 0 && part.second.shift[axis] == 0) return true;
            return false;
        });
    }

    // Whether it accesses several arrays, which shift differently.
    bool mixed() const {
        return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.second.shift != shift; });
    }

    // Whether requests are for whole lines, not scattered words.
    bool ordered() const { return unknown == 0 && sectors >= 3 * lines; }
};

// Sorts, and removes repetitions.
// Leaves out most values that were there before: those last seen with the same hash.
inline void leave_out_repeated(std::vector<std::int64_t>& values) {
    constexpr std::size_t kept = 1 << 15;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t> seen(kept, none);
    std::size_t count = 0;
    for (const std::int64_t value : values) {
        std::int64_t& before = seen[static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15ull >> 49];
        if (before != value || value == none) values[count++] = value;
        before = value;
    }
    values.resize(count);
}

inline void make_unique(std::vector<std::int64_t>& values) {
    constexpr std::size_t many = 1 << 16;
    if (!std::is_sorted(values.begin(), values.end())) {
        if (values.size() > many) leave_out_repeated(values);
        std::sort(values.begin(), values.end());
    }
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

class Grid {
public:
    explicit Grid(const std::array<std::uint32_t, 3>& grid) : grid_(grid) {}
    std::uint64_t blocks() const { return std::uint64_t{grid_[0]} * grid_[1] * grid_[2]; }
    std::int64_t shift(std::uint64_t from, std::uint64_t to, const Shift& step) const {
        const auto a = position(from), b = position(to);
        return (b[0] - a[0]) * step[0] + (b[1] - a[1]) * step[1] + (b[2] - a[2]) * step[2];
    }
    // The same from one block to `count` consecutive ones.
    std::vector<std::int64_t> shifts(std::uint64_t from, std::uint64_t first, std::uint64_t count,
                                     const Shift& step) const {
        std::vector<std::int64_t> result;
        result.reserve(count);
        for (std::uint64_t at = first; at < first + count;) {  // a row in x at a time
            std::int64_t shifted = shift(from, at, step);
            const std::uint64_t end = std::min(first + count, (at / grid_[0] + 1) * grid_[0]);
            for (; at < end; ++at, shifted += step[0]) result.push_back(shifted);
        }
        return result;
    }

private:
    std::array<std::int64_t, 3> position(std::uint64_t number) const {
        return {static_cast<std::int64_t>(number % grid_[0]), static_cast<std::int64_t>(number / grid_[0] % grid_[1]),
                static_cast<std::int64_t>(number / grid_[0] / grid_[1])};
    }
    std::array<std::uint32_t, 3> grid_;
};

// Hits and misses of each instruction in L1.
std::vector<Requests> l1_requests(const functional::Result& executed, const Question& q,
                                  const std::vector<Pattern>& patterns);

// Counts the sectors that each of some instructions, which read with equal shifts, reads before the others do, and before
// the blocks beside the middle one do: these march through the data in step, or ran before.
void count_first_reads(const functional::Result& executed, const Question& q, const Shift& shift,
                       const std::vector<bool>& reads, std::vector<Requests>& requests);

}  // namespace foretell::gpumemory
