#include "oneway.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "hierarchy.hpp"

namespace foretell::cachesim {

bool OneWay::fits(const std::vector<Geometry>& levels, std::size_t references) {
    const auto plain = [](const Geometry& level) {
        return level.policy == Policy::lru && level.inclusion == Inclusion::none && level.ways <= 32 &&
               level.sets < 1 << 27;
    };
    return levels[0].write_allocate && 2 * references <= 1 << who_bits && std::ranges::all_of(levels, plain);
}

OneWay::Level::Level(const Geometry& of, std::size_t references, std::uint64_t lines, bool wide)
    : geometry(of),
      places(of),
      parts(lines),
      stride(std::bit_ceil(std::max<std::uint64_t>(of.ways, wide ? Wide::lanes : Narrow::lanes))),
      slots((of.sets * stride + 15) / 16),
      tallies(2 * references) {
    std::fill_n(set(0), slots.size() * 16, no_tag);
}

OneWay::OneWay(const std::vector<Geometry>& levels, std::size_t references, bool vectors)
    : wide_(vectors && wide_vectors()),
      reach_(std::uint64_t{1} << line_bits),
      queues_(levels.size() + 1),
      accesses_(references) {
    std::uint64_t inner = levels[0].line;
    for (const Geometry& level : levels) {
        levels_.emplace_back(level, references, level.line / std::exchange(inner, level.line), wide_);
        reach_ = std::min<std::uint64_t>(reach_, level.line * level.sets * no_tag);
    }
}

// Where misses of a level go. There is room for what they ask.
struct OneWay::Outlet {
    Request* next;
    Tally* tallies;
    std::uint64_t parts;  // of a line outside
    bool longer;          // whether those are more than one: no division otherwise
    bool fetches;         // also for a line that comes back, which does not fill one of this level

    Outlet(OneWay& levels, std::size_t level)
        : next(levels.queues_[level + 1].next),
          tallies(levels.levels_[level].tallies.data()),
          parts(level + 1 < levels.levels_.size() ? levels.levels_[level + 1].parts : 1),
          longer(parts > 1),
          fetches(levels.levels_[level].parts > 1) {}

    // A line has come in place of another one.
    template <typename Sets>
    FORETELL_INLINE void pass(const Sets& sets, Request request, Tag leaving) {
        Tally& tally = tallies[request.who()];
        ++tally.missed;
        if (!request.back() || fetches) *next++ = Request(outside(request.line()), request.who() & ~Who{1});
        if (leaving < no_tag) return;
        if (leaving == no_tag) {
            ++tally.filled;
        } else {
            ++tally.written;
            *next++ = Request(outside(sets.line_of(leaving, request.line())), request.who() | 1);
        }
    }
    FORETELL_INLINE Line outside(Line line) const { return longer ? line / parts : line; }
};

// Calls `use` with the sets of a level.
template <typename Slots, typename Use>
FORETELL_INLINE void OneWay::with_sets(std::size_t level, Use use) {
    Level& here = levels_[level];
    const auto as = [&]<int vectors>(std::integral_constant<int, vectors>) __attribute__((always_inline)) {
        use(Recent<Slots, vectors>(here.places, here.geometry.ways, here.set(0)));
    };
    if (here.stride == Slots::lanes) return as(std::integral_constant<int, 1>{});
    if (here.stride == 2 * Slots::lanes) return as(std::integral_constant<int, 2>{});
    if constexpr (Slots::lanes == Narrow::lanes) {
        if (here.stride == 4 * Slots::lanes) return as(std::integral_constant<int, 4>{});
        as(std::integral_constant<int, 8>{});
    }
}

template <typename Slots>
FORETELL_INLINE void OneWay::answer_as(std::size_t level, const Request* requests, std::size_t count) {
    with_sets<Slots>(level, [&](auto sets) __attribute__((always_inline)) {
        std::uint32_t first[batch + ahead];
        Tag tags[batch + ahead];
        for (std::size_t k = 0; k < count + ahead; ++k) {  // behind the end, requests of an earlier batch
            const auto spot = sets.spot(requests[k].line());
            first[k] = spot.first;
            tags[k] = spot.tag | requests[k].marks();
        }
        Outlet outlet(*this, level);
        for (std::size_t k = 0; k < count; ++k) {
            sets.prefetch(first[k + ahead]);
            Tag leaving;
            if (!sets.access({first[k], tags[k]}, tags[k] & dirty_tag, 0, leaving))
                outlet.pass(sets, requests[k], leaving);
        }
        queues_[level + 1].next = outlet.next;
    });
}

// Answers what waits for a level.
void OneWay::drain(std::size_t level) {
    Queue& queue = queues_[level];
    const std::size_t asked = std::exchange(queue.next, queue.begin()) - queue.begin();
    if (level == levels_.size()) return;
    for (std::size_t done = 0; done < asked; done += batch) {
        if (queues_[level + 1].room() < 2 * batch) drain(level + 1);
        answer(level, queue.begin() + done, std::min(batch, asked - done));
    }
}

// The innermost level has asked up to here; from where on it asks more.
OneWay::Request* OneWay::flush(Request* next) {
    queues_[1].next = next;
    drain(1);
    return queues_[1].next;
}

void OneWay::drain_all() {
    for (std::size_t level = 1; level <= levels_.size(); ++level) drain(level);
}

// The innermost level, as walks see it.
template <typename Sets>
class OneWay::Inner {
public:
    Inner(OneWay& levels, Sets sets)
        : levels_(levels), sets_(sets), outlet_(levels, 0), full_(levels.queues_[1].begin() + batch) {}
    ~Inner() { levels_.queues_[1].next = outlet_.next; }
    Inner(const Inner&) = delete;
    Inner& operator=(const Inner&) = delete;

    // An access to a line. Whether it missed.
    FORETELL_INLINE bool touch(std::size_t reference, Line line, Tag marks) {
        Tag leaving;
        const auto spot = sets_.spot(line);
        if (sets_.access(spot, marks, 0, leaving)) return false;
        if (leaving & tag_in_use) leaving = sets_.spare(spot, leaving);
        outlet_.pass(sets_, Request(line, wants(reference)), leaving);
        if (outlet_.next >= full_) outlet_.next = levels_.flush(outlet_.next);
        return true;
    }
    // A line that is there, and is no longer in use.
    FORETELL_INLINE void let_go(Line line, bool in_use) {
        Tag none;
        sets_.access(sets_.spot(line), 0, in_use ? 0 : tag_in_use, none);
    }

    FORETELL_INLINE std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        ++levels_.accesses_[reference];
        const bool missed = touch(reference, places().line_of(address), kind == Kind::store ? dirty_tag : 0);
        moves_ += missed;
        return missed;
    }
    void again(std::size_t reference, std::size_t, std::uint64_t times) { levels_.accesses_[reference] += times; }
    std::uint64_t moves() const { return moves_; }
    bool holds(std::uint64_t address) const { return sets_.holds(places().line_of(address)); }
    const Places& places() const { return levels_.levels_[0].places; }

    void line_by_line(std::vector<Cursor>& cursors, std::uint64_t trips);

private:
    FORETELL_INLINE void jump(Cursor& cursor);
    FORETELL_INLINE void visit(std::vector<Cursor>& cursors, Cursor& cursor);
    FORETELL_INLINE void leave(const std::vector<Cursor>& cursors, Cursor& cursor);

    OneWay& levels_;
    Sets sets_;
    Outlet outlet_;
    Request* full_;
    std::uint64_t moves_ = 0;
};

namespace {

Tag mark_of(const Cursor& cursor) { return cursor.kind == Kind::store ? dirty_tag : 0; }

}  // namespace

// An access to a line of its own.
template <typename Sets>
FORETELL_INLINE void OneWay::Inner<Sets>::jump(Cursor& cursor) {
    touch(cursor.reference, places().line_of(cursor.address), mark_of(cursor));
    cursor.address += cursor.step;
}

// A reference comes to a line, is on it, or has its last access there.
template <typename Sets>
FORETELL_INLINE void OneWay::Inner<Sets>::visit(std::vector<Cursor>& cursors, Cursor& cursor) {
    if (cursor.left == 0) {
        cursor.arrive(places());
        const bool stays = cursor.left > 1;
        const Line line = places().line_of(cursor.address);
        touch(cursor.reference, line, mark_of(cursor) | (stays ? tag_in_use : 0));
        if (stays) cursor.line = line;
    } else if (cursor.left == 1) {
        leave(cursors, cursor);
    }
    cursor.walk(1);
}

// The last access to a line that is in use, perhaps by others too.
template <typename Sets>
FORETELL_INLINE void OneWay::Inner<Sets>::leave(const std::vector<Cursor>& cursors, Cursor& cursor) {
    const Line line = std::exchange(cursor.line, empty);
    bool others = false;
    for (const Cursor& other : cursors) others |= other.line == line;
    let_go(line, others);
}

// Only the first and the last access to a line: between them it hits, for no other takes a line that is in use. Lines
// that nobody is on are in the order of their last accesses. The oldest of them, which leaves, is older than those in
// use, too: references together are on fewer lines than a set has, so it is none of the lines that they were on last.
template <typename Sets>
FORETELL_INLINE void OneWay::Inner<Sets>::line_by_line(std::vector<Cursor>& cursors, std::uint64_t trips) {
    std::vector<Cursor*> jumping;
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) jumping.push_back(&cursor);
        cursor.left = 0;
        levels_.accesses_[cursor.reference] += trips;
    }
    for (std::uint64_t done = 0; done < trips;) {
        std::uint64_t quiet = trips - done - 1;  // iterations that follow, in which all that do not jump stay
        for (Cursor& cursor : cursors) {
            if (cursor.jumps) {
                jump(cursor);
            } else {
                visit(cursors, cursor);
                quiet = std::min(quiet, std::max<std::uint64_t>(cursor.left, 1) - 1);
            }
        }
        for (std::uint64_t k = 0; k < quiet; ++k)
            for (Cursor* cursor : jumping) jump(*cursor);
        if (quiet > 0)
            for (Cursor& cursor : cursors)
                if (!cursor.jumps) cursor.walk(quiet);
        done += quiet + 1;
    }
    for (Cursor& cursor : cursors) {  // the last iteration once more: lines in use have no place in the order
        if (cursor.line == empty) cursor.line = places().line_of(cursor.address - cursor.step);
        leave(cursors, cursor);
    }
}

// Whether no element lies across lines, and a set has room for a line of every reference.
bool OneWay::by_lines(const std::vector<Cursor>& cursors) const {
    const Geometry& inner = levels_[0].geometry;
    const auto simple = [&](const Cursor& cursor) { return !cursor.may_cross(inner.line); };
    return cursors.size() <= inner.ways && std::ranges::all_of(cursors, simple);
}

template <typename Slots>
FORETELL_INLINE void OneWay::walk_as(std::vector<Cursor>& cursors, std::uint64_t trips) {
    for (Cursor& cursor : cursors) cursor.start(levels_[0].places);
    with_sets<Slots>(0, [&](auto sets) __attribute__((always_inline)) {
        Inner inner(*this, sets);
        if (by_lines(cursors))
            inner.line_by_line(cursors, trips);
        else
            step_by_step(inner, cursors, trips);
    });
}

template <typename Slots>
FORETELL_INLINE void OneWay::follow_as(const List& list) {
    with_sets<Slots>(0, [&](auto sets) __attribute__((always_inline)) {
        Inner inner(*this, sets);
        for (std::size_t k = 0; k < list.count; ++k)
            access_all(inner, list.reference ? list.reference[k] : 0,
                       list.kind ? static_cast<Kind>(list.kind[k]) : Kind::load, list.addresses[k], list.bytes);
    });
}

#if defined(FORETELL_WIDE)
#define FORETELL_FLAT FORETELL_WIDE __attribute__((flatten))
#else
#define FORETELL_FLAT
#endif

FORETELL_FLAT void OneWay::walk_wide(std::vector<Cursor>& cursors, std::uint64_t trips) {
    walk_as<Wide>(cursors, trips);
}
FORETELL_FLAT void OneWay::follow_wide(const List& list) { follow_as<Wide>(list); }
FORETELL_FLAT void OneWay::answer_wide(std::size_t level, const Request* requests, std::size_t count) {
    answer_as<Wide>(level, requests, count);
}

void OneWay::walk(std::vector<Cursor>& cursors, std::uint64_t trips) {
    wide_ ? walk_wide(cursors, trips) : walk_as<Narrow>(cursors, trips);
}

void OneWay::answer(std::size_t level, const Request* requests, std::size_t count) {
    wide_ ? answer_wide(level, requests, count) : answer_as<Narrow>(level, requests, count);
}

void OneWay::run(const List& list) { wide_ ? follow_wide(list) : follow_as<Narrow>(list); }

void OneWay::run(std::vector<Cursor>& cursors, std::uint64_t trips) {
    if (!walk_in_rounds(cursors, trips)) walk(cursors, trips);
}

// Lines that a reference has asked of a level.
std::uint64_t OneWay::wanted(std::size_t reference, std::size_t level) const {
    if (level == 0) return accesses_[reference];
    const Level& inside = levels_[level - 1];
    const std::uint64_t filling = inside.parts > 1 ? inside.tallies[gives_back(reference)].missed : 0;
    return inside.tallies[wants(reference)].missed + filling;
}

Counts OneWay::counts(std::size_t reference, std::size_t level) {
    drain_all();
    const Tally &here = levels_[level].tallies[wants(reference)], &back = levels_[level].tallies[gives_back(reference)];
    return {wanted(reference, level) - here.missed, here.missed,
            here.missed + back.missed - here.filled - back.filled, here.written + back.written};
}

MemoryCounts OneWay::memory(std::size_t reference) {
    const std::size_t last = levels_.size() - 1;
    const std::uint64_t written = counts(reference, last).writebacks;
    return {wanted(reference, last + 1), written};
}

std::uint64_t OneWay::dirty_lines(std::size_t level) {
    drain_all();
    std::uint64_t found = 0;
    for (const Slots& slots : levels_[level].slots)
        found += std::ranges::count_if(slots.tags, [](Tag tag) { return tag & dirty_tag; });
    return found;
}

// The other engine goes on from here.
void OneWay::hand_over(Hierarchy& to) {
    to.take_counts(*this);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        Level& here = levels_[level];
        for (std::uint64_t set = 0; set < here.geometry.sets; ++set)
            for (std::uint32_t way = here.geometry.ways; way-- > 0;) {
                const Tag tag = here.set(set)[way];
                if (tag != no_tag) to.take_line(level, here.places.line_at(tag & tag_number, set), tag & dirty_tag);
            }
    }
}

}  // namespace foretell::cachesim
