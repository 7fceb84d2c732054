// References on their way through an innermost loop, followed by the lines that they come to and leave.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cursor.hpp"

namespace foretell::cachesim {

// What a reference does to a line: it has one access, its last of several, its first.
enum class Use : std::uint64_t { passes = 0, leaves = 1, stays = 2 };

// Iterations of references that have every access to a line of its own.
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

// A reference comes to a line, and stays there if it has more accesses to it.
template <typename Levels>
FORETELL_INLINE void come(Levels& levels, Cursor& cursor) {
    cursor.arrive(levels.places());
    const Line line = levels.places().line_of(cursor.address);
    const bool stays = cursor.left > 1;
    levels.touch(cursor.reference, cursor.kind, line, stays ? Use::stays : Use::passes);
    if (stays) cursor.line = line;
}

// The last access to a line that is in use, perhaps by others too.
template <typename Levels>
FORETELL_INLINE void leave(Levels& levels, const std::vector<Cursor>& cursors, Cursor& cursor) {
    const Line line = std::exchange(cursor.line, empty);
    bool others = false;
    for (const Cursor& other : cursors) others |= other.line == line;
    levels.touch(cursor.reference, Kind::load, line, others ? Use::passes : Use::leaves);
}

// An iteration in which references come or leave. How many follow in which all that do not jump stay.
template <typename Levels>
FORETELL_INLINE std::uint64_t step(Levels& levels, std::vector<Cursor>& cursors) {
    levels.expect(cursors.size());
    std::uint64_t quiet = std::numeric_limits<std::uint64_t>::max();
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) {
            levels.jump(cursor);
            continue;
        }
        if (cursor.left == 0)
            come(levels, cursor);
        else if (cursor.left == 1)
            leave(levels, cursors, cursor);
        quiet = std::min(quiet, std::max<std::uint64_t>(cursor.left, 2) - 2);
    }
    return quiet;
}

// Only the first and the last access to a line: between them it hits, for no other takes a line that is in use. Lines
// that nobody is on are in the order of their last accesses. The oldest of them, which leaves, is older than those in
// use, too: references together are on fewer lines than a set has, so it is none of the lines that they were on last.
template <typename Levels>
FORETELL_INLINE void line_by_line(Levels& levels, std::vector<Cursor>& cursors, std::uint64_t trips) {
    std::vector<Cursor*> jumping;
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) jumping.push_back(&cursor);
        cursor.left = 0;
        levels.again(cursor.reference, 0, trips);
    }
    for (std::uint64_t left = trips; left > 0;) {
        const std::uint64_t quiet = std::min(step(levels, cursors), left - 1);
        jump_on(levels, jumping, quiet);
        for (Cursor& cursor : cursors)
            if (!cursor.jumps) cursor.walk(quiet + 1);
        left -= quiet + 1;
    }
    levels.expect(cursors.size());
    for (Cursor& cursor : cursors) {  // the last iteration once more: lines in use have no place in the order
        if (cursor.line == empty) cursor.line = levels.places().line_of(cursor.address - cursor.step);
        leave(levels, cursors, cursor);
    }
}

}  // namespace foretell::cachesim
