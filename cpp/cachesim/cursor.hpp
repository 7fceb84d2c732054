// Position of each reference in an innermost loop.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "cachesim/cache.hpp"
#include "common/simd.hpp"

namespace foretell::cachesim {

enum class Kind : std::uint8_t { load, store };

struct Cursor {
    std::size_t reference;
    std::int64_t address;
    std::int64_t step;  // stride per iteration in bytes
    std::uint32_t bytes;
    Kind kind;
    std::uint64_t left = 0;    // iterations that stay on this line, the next one included
    bool across = false;       // the element spans more than one line
    bool jumps = false;        // every element is on a line of its own, and on one only
    std::size_t supplier = 0;  // level of the last access
    Line line = empty;         // line by line: the one that is marked as in use for it

    // Whether an element may span more than one line.
    bool may_cross(std::uint64_t line) const {
        return line % bytes != 0 || address % bytes != 0 || step % static_cast<std::int64_t>(bytes) != 0;
    }

    void start(const Places& places) {
        jumps = static_cast<std::uint64_t>(std::abs(step)) >= places.line && !may_cross(places.line);
        arrive(places);
    }

    void arrive(const Places& places) {
        const std::int64_t line = static_cast<std::int64_t>(places.line);
        // unsigned: after the last iteration the address may be below 0
        const auto at = static_cast<std::uint64_t>(address);
        const auto offset = static_cast<std::int64_t>(at - places.line_of(at) * places.line);
        const std::int64_t room = line - bytes - offset;
        across = room < 0;
        if (across || std::abs(step) >= line) left = 1;
        else if (step == 0) left = std::numeric_limits<std::uint64_t>::max();
        else left = steps_in(static_cast<std::uint32_t>(step > 0 ? room : offset)) + 1;
    }

    // Whole steps in `room` bytes.
    std::uint32_t steps_in(std::uint32_t room) const {
        const std::uint32_t each = static_cast<std::uint32_t>(std::abs(step));
        return (each & (each - 1)) == 0 ? room >> std::countr_zero(each) : room / each;
    }

    void walk(std::uint64_t iterations) {
        address += static_cast<std::int64_t>(iterations) * step;
        left -= iterations;
    }
};

// Accesses every line that the bytes span, separately. Returns the level that served the first one.
template <typename Levels>
FORETELL_INLINE std::size_t access_all(Levels& levels, std::size_t reference, Kind kind, std::uint64_t address,
                                       std::uint32_t bytes) {
    const Places& places = levels.places();
    const std::size_t supplier = levels.access(reference, kind, address);
    const Line last = places.line_of(address + bytes - 1);
    for (Line next = places.line_of(address) + 1; next <= last; ++next)
        levels.access(reference, kind, next * places.line);
    return supplier;
}

// Whether the next iteration on the same lines hits the innermost level only; stores that in the cursors.
template <typename Levels>
bool hit_innermost(const Levels& levels, std::vector<Cursor>& cursors) {
    for (const Cursor& cursor : cursors)
        if (cursor.across || !levels.holds(cursor.address)) return false;
    for (Cursor& cursor : cursors) cursor.supplier = 0;
    return true;
}

// While every reference stays on its line, an iteration that moved no line between levels, or that left all of them in
// the innermost one, repeats identically: it changes neither the LRU order nor dirty marks. So the rest of such a run is
// counted, not simulated.
template <typename Levels>
FORETELL_INLINE void step_by_step(Levels& levels, std::vector<Cursor>& cursors, std::uint64_t trips) {
    while (trips > 0) {
        std::uint64_t run = trips;
        for (const Cursor& cursor : cursors) run = std::min(run, cursor.left);
        std::uint64_t done = 0;
        bool steady = false;
        while (done < run && !steady) {
            const std::uint64_t before = levels.moves();
            for (Cursor& cursor : cursors) {
                const std::uint64_t address = cursor.address + done * cursor.step;
                cursor.supplier = cursor.across
                                      ? access_all(levels, cursor.reference, cursor.kind, address, cursor.bytes)
                                      : levels.access(cursor.reference, cursor.kind, address);
            }
            ++done;
            steady = levels.moves() == before || hit_innermost(levels, cursors);
        }
        for (Cursor& cursor : cursors) {
            if (run > done) levels.again(cursor.reference, cursor.supplier, run - done);
            cursor.walk(run);
            if (cursor.left == 0) cursor.arrive(levels.places());
        }
        trips -= run;
    }
}

}  // namespace foretell::cachesim
