// Simulates an innermost loop by line transitions: the first and last access of each reference to a line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "cachesim/cursor.hpp"

namespace foretell::cachesim {

// Kind of access of a reference to a line: the only one, the last of several, the first of several.
enum class Use : std::uint64_t { passes = 0, leaves = 1, stays = 2 };

// Iterations of references whose accesses are each to a different line.
template <typename Levels>
FORETELL_INLINE void jump_on(Levels& levels, const std::vector<Cursor*>& cursors, std::uint64_t iterations) {
    constexpr std::uint64_t together = Levels::jumps_at_once;
    while (iterations > 0 && !cursors.empty()) {
        const std::uint64_t now = std::min(iterations, together);
        levels.expect(together * cursors.size());
        if (cursors.size() == 1)  // the usual case
            levels.jump_on(*cursors[0], now);
        else
            for (std::uint64_t k = 0; k < now; ++k)
                for (Cursor* const cursor : cursors) levels.jump(*cursor);
        iterations -= now;
    }
}

// First access of a reference to a line, which is in use from then on if more accesses follow.
template <typename Levels>
FORETELL_INLINE void come(Levels& levels, Cursor& cursor) {
    cursor.arrive(levels.places());
    const Line line = levels.places().line_of(cursor.address);
    const bool stays = cursor.left > 1;
    levels.touch(cursor.reference, cursor.kind, line, stays ? Use::stays : Use::passes);
    if (stays) cursor.line = line;
}

// Last access of a reference to a line in use, perhaps by other references too.
template <typename Levels>
FORETELL_INLINE void leave(Levels& levels, const std::vector<Cursor>& cursors, Cursor& cursor) {
    const Line line = std::exchange(cursor.line, empty);
    bool others = false;
    for (const Cursor& other : cursors) others |= other.line == line;
    levels.touch(cursor.reference, Kind::load, line, others ? Use::passes : Use::leaves);
}

// An iteration with line transitions. Returns the number of following iterations without, except for `jumps`.
template <typename Levels>
FORETELL_INLINE std::uint64_t step(Levels& levels, std::vector<Cursor>& cursors) {
    levels.expect(cursors.size());
    std::uint64_t quiet = std::numeric_limits<std::uint64_t>::max();
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) {
            levels.jump(cursor);
            continue;
        }
        if (cursor.left == 0) come(levels, cursor);
        else if (cursor.left == 1) leave(levels, cursors, cursor);
        quiet = std::min(quiet, std::max<std::uint64_t>(cursor.left, 2) - 2);
    }
    return quiet;
}

// Simulates a number of iterations.
template <typename Levels>
FORETELL_INLINE void walk_on(Levels& levels, std::vector<Cursor>& cursors, const std::vector<Cursor*>& jumping,
                             std::uint64_t iterations) {
    while (iterations > 0) {
        const std::uint64_t quiet = std::min(step(levels, cursors), iterations - 1);
        jump_on(levels, jumping, quiet);
        for (Cursor& cursor : cursors)
            if (!cursor.jumps) cursor.walk(quiet + 1);
        iterations -= quiet + 1;
    }
}

// Smallest number of iterations, at least some, after which every reference has moved by whole lines.
inline std::uint64_t period_of(const Places& places, const std::vector<Cursor>& cursors) {
    std::uint64_t common = places.line;
    for (const Cursor& cursor : cursors) common = std::gcd(common, static_cast<std::uint64_t>(std::abs(cursor.step)));
    const std::uint64_t least = places.line / common, some = 8;
    return least * ((some + least - 1) / least);
}

// Whether references that stay on lines coincide equally in every period: they have equal strides, or never coincide.
inline bool meet_alike(const Places& places, const std::vector<Cursor>& cursors, std::uint64_t trips) {
    const auto lines = [&](const Cursor& cursor) {
        const std::int64_t last = cursor.address + static_cast<std::int64_t>(trips - 1) * cursor.step;
        return std::pair(places.line_of(std::min(cursor.address, last)),
                         places.line_of(std::max(cursor.address, last)));
    };
    const auto alike = [&](const Cursor& first, const Cursor& second) {
        return first.jumps || second.jumps || first.step == second.step || lines(first).second < lines(second).first ||
               lines(second).second < lines(first).first;
    };
    for (std::size_t k = 1; k < cursors.size(); ++k)
        if (!std::all_of(cursors.begin(), cursors.begin() + k,
                         [&](const Cursor& first) { return alike(first, cursors[k]); }))
            return false;
    return true;
}

// Simulates periods, each of which is the previous one translated. The first begins within lines; the second is the one
// repeated. Returns the number of iterations.
template <typename Levels>
FORETELL_INLINE std::uint64_t walk_in_periods(Levels& levels, std::vector<Cursor>& cursors,
                                              const std::vector<Cursor*>& jumping, std::uint64_t trips) {
    const std::uint64_t period = period_of(levels.places(), cursors), most = (period + 9) * cursors.size();
    if (trips / 4 < period || most > Levels::most_expected || !meet_alike(levels.places(), cursors, trips)) return 0;
    walk_on(levels, cursors, jumping, period);
    levels.expect(most);
    const auto touched = levels.here();
    walk_on(levels, cursors, jumping, period);
    const std::uint64_t times = trips / period - 2;
    levels.repeat(touched, cursors, period, times);
    for (Cursor& cursor : cursors) {
        cursor.address += static_cast<std::int64_t>(times * period) * cursor.step;
        if (cursor.line != empty) cursor.line = levels.places().line_of(cursor.address - cursor.step);
    }
    return trips - trips % period;
}

// Simulates only the first and the last access to a line: those between hit, since a line in use is never a victim.
// Lines not in use are in the order of their last accesses. The oldest of them, the victim, is also older than those in
// use: all references together are on fewer lines than a set has ways, so it is none of the lines accessed last.
template <typename Levels>
FORETELL_INLINE void line_by_line(Levels& levels, std::vector<Cursor>& cursors, std::uint64_t trips) {
    std::vector<Cursor*> jumping;
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) jumping.push_back(&cursor);
        cursor.left = 0;
        levels.again(cursor.reference, 0, trips);
    }
    walk_on(levels, cursors, jumping, trips - walk_in_periods(levels, cursors, jumping, trips));
    levels.expect(cursors.size());
    for (Cursor& cursor : cursors) {  // repeats the last iteration: lines in use have no place in the LRU order
        if (cursor.line == empty) cursor.line = levels.places().line_of(cursor.address - cursor.step);
        leave(levels, cursors, cursor);
    }
}

}  // namespace foretell::cachesim
