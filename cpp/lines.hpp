// References on their way through an innermost loop, followed by the lines that they come to and leave.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cursor.hpp"

namespace foretell::cachesim {

// What a reference does to a line: it has one access, its last of several, its first.
enum class Use : std::uint64_t { passes = 0, leaves = 1, stays = 2 };

// An access to a line of its own.
template <typename Levels>
FORETELL_INLINE void jump(Levels& levels, Cursor& cursor) {
    levels.touch(cursor.reference, cursor.kind, levels.places().line_of(cursor.address), Use::passes);
    cursor.address += cursor.step;
}

// Iterations of references that have every access to a line of its own.
template <typename Levels>
FORETELL_INLINE void jump_on(Levels& levels, const std::vector<Cursor*>& cursors, std::uint64_t iterations) {
    constexpr std::uint64_t together = 8;  // they ask less than a batch
    while (iterations > 0 && !cursors.empty()) {
        const std::uint64_t now = std::min(iterations, together);
        levels.expect(now * cursors.size());
        if (cursors.size() == 1) {  // the usual case: it is in registers meanwhile
            Cursor cursor = *cursors[0];
            for (std::uint64_t k = 0; k < now; ++k) jump(levels, cursor);
            *cursors[0] = cursor;
        } else {
            for (std::uint64_t k = 0; k < now; ++k)
                for (Cursor* const cursor : cursors) jump(levels, *cursor);
        }
        iterations -= now;
    }
}

// The last access to a line that is in use, perhaps by others too.
template <typename Levels>
FORETELL_INLINE void leave(Levels& levels, const std::vector<Cursor>& cursors, Cursor& cursor) {
    const Line line = std::exchange(cursor.line, empty);
    bool others = false;
    for (const Cursor& other : cursors) others |= other.line == line;
    levels.touch(cursor.reference, Kind::load, line, others ? Use::passes : Use::leaves);
}

// A reference comes to a line, is on it, or has its last access there.
template <typename Levels>
FORETELL_INLINE void visit(Levels& levels, const std::vector<Cursor>& cursors, Cursor& cursor) {
    if (cursor.left == 0) {
        cursor.arrive(levels.places());
        const bool stays = cursor.left > 1;
        const Line line = levels.places().line_of(cursor.address);
        levels.touch(cursor.reference, cursor.kind, line, stays ? Use::stays : Use::passes);
        if (stays) cursor.line = line;
    } else if (cursor.left == 1) {
        leave(levels, cursors, cursor);
    }
    cursor.walk(1);
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
    for (std::uint64_t done = 0; done < trips;) {
        levels.expect(cursors.size());
        std::uint64_t quiet = trips - done - 1;  // iterations that follow, in which all that do not jump stay
        for (Cursor& cursor : cursors) {
            if (cursor.jumps) {
                jump(levels, cursor);
            } else {
                visit(levels, cursors, cursor);
                quiet = std::min(quiet, std::max<std::uint64_t>(cursor.left, 1) - 1);
            }
        }
        jump_on(levels, jumping, quiet);
        if (quiet > 0)
            for (Cursor& cursor : cursors)
                if (!cursor.jumps) cursor.walk(quiet);
        done += quiet + 1;
    }
    levels.expect(cursors.size());
    for (Cursor& cursor : cursors) {  // the last iteration once more: lines in use have no place in the order
        if (cursor.line == empty) cursor.line = levels.places().line_of(cursor.address - cursor.step);
        leave(levels, cursors, cursor);
    }
}

}  // namespace foretell::cachesim
