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

OneWay::Level::Level(const Geometry& of, std::size_t references, std::uint64_t inside, bool wide)
    : geometry(of),
      places(of),
      lines(inside),
      stride(std::bit_ceil(std::max<std::uint64_t>(of.ways, wide ? Wide::lanes : Narrow::lanes))),
      slots((of.sets * stride + 15) / 16),
      tallies(2 * references) {
    std::fill_n(set(0), slots.size() * 16, no_tag);
}

OneWay::OneWay(const std::vector<Geometry>& levels, std::size_t references, bool vectors)
    : wide_(vectors && wide_vectors()),
      reach_(std::uint64_t{1} << line_bits),
      accesses_(references),
      queues_(levels.size() + 1),
      caught_at_(levels.size() + 1) {
    std::uint64_t inner = levels[0].line;
    for (const Geometry& level : levels) {
        levels_.emplace_back(level, references, level.line / std::exchange(inner, level.line), wide_);
        reach_ = std::min<std::uint64_t>(reach_, level.line * level.sets * no_tag);
    }
}

// What follows from a miss of a level, told to `ask` by requests to the next one.
struct OneWay::Outlet {
    Tally* tallies;
    std::uint64_t lines;  // to a line outside
    bool longer;          // whether those are more than one: no division otherwise
    bool fetches;         // also for a line that comes back, which does not fill one of this level

    Outlet(OneWay& levels, std::size_t level)
        : tallies(levels.levels_[level].tallies.data()),
          lines(level + 1 < levels.levels_.size() ? levels.levels_[level + 1].lines : 1),
          longer(lines > 1),
          fetches(levels.levels_[level].lines > 1) {}

    // A line has come in place of another one. All that comes to the innermost level is wanted.
    template <bool innermost, typename Sets, typename Ask>
    FORETELL_INLINE void pass(const Sets& sets, Line line, Who asking, Tag leaving, Ask ask) {
        const Who who = innermost ? asking & ~Who{1} : asking;
        Tally& tally = tallies[who];
        ++tally.missed;
        if (innermost || !(who & 1) || fetches) ask(Request(outside(line), who & ~Who{1}));
        if (leaving < no_tag) return;
        if (leaving == no_tag) {
            ++tally.filled;
        } else {
            ++tally.written;
            ask(Request(outside(sets.line_of(leaving, line)), who | 1));
        }
    }
    FORETELL_INLINE Line outside(Line line) const { return longer ? line / lines : line; }
};

// Calls `work` with the sets of a level.
template <typename Slots, typename Work>
FORETELL_INLINE void OneWay::with_sets(Level& level, Work work) {
    const auto as = [&]<int vectors>(std::integral_constant<int, vectors>) __attribute__((always_inline)) {
        Recent<Slots, vectors> sets(level.places, level.geometry.ways, level.set(0));
        work(sets);
    };
    if (level.stride == Slots::lanes) return as(std::integral_constant<int, 1>{});
    if (level.stride == 2 * Slots::lanes) return as(std::integral_constant<int, 2>{});
    if constexpr (Slots::lanes == Narrow::lanes) {
        if (level.stride == 4 * Slots::lanes) return as(std::integral_constant<int, 4>{});
        as(std::integral_constant<int, 8>{});
    }
}

template <bool innermost, typename Sets>
FORETELL_INLINE void OneWay::answer_with(Sets& sets, std::size_t level, const Request* requests, std::size_t count) {
    std::uint32_t first[batch + ahead];
    Tag tags[batch];
    for (std::size_t k = 0; k < count; ++k) {
        const Spot spot = sets.spot(requests[k].line());
        first[k] = spot.first;
        tags[k] = spot.tag | requests[k].marks();
    }
    std::fill_n(first + count, ahead, 0);
    Outlet outlet(*this, level);
    Request* next = queues_[level + 1].next;
    for (std::size_t k = 0; k < count; ++k) {
        sets.prefetch(first[k + ahead]);
        const Spot spot{first[k], tags[k]};
        Tag leaving;
        if (sets.access(spot, innermost ? requests[k].marks_lost() : 0, leaving)) continue;
        if (innermost && leaving & tag_in_use) leaving = sets.spare(spot, leaving);
        outlet.pass<innermost>(sets, requests[k].line(), requests[k].who(), leaving,
                               [&](Request request) __attribute__((always_inline)) { *next++ = request; });
    }
    queues_[level + 1].next = next;
}

template <typename Slots>
FORETELL_INLINE void OneWay::answer_as(std::size_t level, const Request* requests, std::size_t count) {
    with_sets<Slots>(levels_[level], [&](auto& sets) __attribute__((always_inline)) {
        level == 0 ? answer_with<true>(sets, level, requests, count)
                   : answer_with<false>(sets, level, requests, count);
    });
}

// Asks a level for one line after the other.
class OneWay::Feed {
public:
    Feed(OneWay& levels, std::size_t level)
        : levels_(levels), level_(level), next_(queue().next), full_(queue().begin() + batch) {}
    ~Feed() { queue().next = next_; }
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // So many requests will come, at most as many as a batch has.
    FORETELL_INLINE void expect(std::size_t requests) {
        if (next_ + requests > full_) next_ = flush(levels_, level_, next_);
    }
    FORETELL_INLINE void ask(Request request) { *next_++ = request; }

private:
    __attribute__((noinline)) static Request* flush(OneWay& levels, std::size_t level, Request* next) {
        levels.queues_[level].next = next;
        levels.drain(level);
        return levels.queues_[level].next;
    }
    Queue& queue() { return levels_.queues_[level_]; }

    OneWay& levels_;
    std::size_t level_;
    Request* next_;
    Request* full_;
};

// The innermost level, as walks see it.
template <typename Sets>
class OneWay::Inner {
public:
    Inner(OneWay& levels, const Sets& sets)
        : levels_(levels), sets_(sets), places_(levels.levels_[0].places), outlet_(levels, 0), feed_(levels, 1) {}

    // So many touches will come: makes room for what they ask.
    FORETELL_INLINE void expect(std::size_t touches) { feed_.expect(2 * touches); }
    // An access to a line. Whether it missed.
    FORETELL_INLINE bool touch(std::size_t reference, Kind kind, Line line, Use use) {
        const Who who = touches(reference, kind);
        const Request marked(0, who, use);
        Spot spot = sets_.spot(line);
        spot.tag |= marked.marks();
        Tag leaving;
        if (sets_.access(spot, marked.marks_lost(), leaving)) return false;
        if (leaving & tag_in_use) [[unlikely]]
            leaving = sets_.spare(spot, leaving);
        outlet_.template pass<true>(sets_, line, who, leaving,
                                    [&](Request asked) __attribute__((always_inline)) { feed_.ask(asked); });
        return true;
    }
    FORETELL_INLINE std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        ++levels_.accesses_[reference];
        expect(1);
        const bool missed = touch(reference, kind, places().line_of(address), Use::passes);
        moves_ += missed;
        return missed;
    }
    void again(std::size_t reference, std::size_t, std::uint64_t times) { levels_.accesses_[reference] += times; }
    std::uint64_t moves() const { return moves_; }
    bool holds(std::uint64_t address) const { return sets_.holds(sets_.spot(places().line_of(address))); }
    const Places& places() const { return places_; }

private:
    OneWay& levels_;
    Sets sets_;  // a copy, as are the places: what levels store cannot change them
    Places places_;
    Outlet outlet_;
    Feed feed_;
    std::uint64_t moves_ = 0;
};

// Accesses that wait for the innermost level, whatever they will find.
class OneWay::Keeper {
public:
    explicit Keeper(OneWay& levels) : levels_(levels), feed_(levels, 0) {}

    FORETELL_INLINE void expect(std::size_t touches) { feed_.expect(touches); }
    FORETELL_INLINE void touch(std::size_t reference, Kind kind, Line line, Use use) {
        feed_.ask(Request(line, touches(reference, kind), use));
    }
    FORETELL_INLINE std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        ++levels_.accesses_[reference];
        expect(1);
        touch(reference, kind, places().line_of(address), Use::passes);
        return 0;
    }
    void again(std::size_t reference, std::size_t, std::uint64_t times) { levels_.accesses_[reference] += times; }
    const Places& places() const { return levels_.levels_[0].places; }

private:
    OneWay& levels_;
    Feed feed_;
};

// Whether no element lies across lines, and a set has room for a line of every reference.
bool OneWay::by_lines(const std::vector<Cursor>& cursors) const {
    const Geometry& inner = levels_[0].geometry;
    const auto simple = [&](const Cursor& cursor) { return !cursor.may_cross(inner.line); };
    return cursors.size() <= inner.ways && std::ranges::all_of(cursors, simple);
}

template <typename Slots>
FORETELL_INLINE void OneWay::walk_as(std::vector<Cursor>& cursors, std::uint64_t trips) {
    with_sets<Slots>(levels_[0], [&](auto& sets) __attribute__((always_inline)) {
        Inner inner(*this, sets);
        if (by_lines(cursors))
            line_by_line(inner, cursors, trips);
        else
            step_by_step(inner, cursors, trips);
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
FORETELL_FLAT void OneWay::answer_wide(std::size_t level, const Request* requests, std::size_t count) {
    answer_as<Wide>(level, requests, count);
}

void OneWay::run(std::vector<Cursor>& cursors, std::uint64_t trips) {
    for (Cursor& cursor : cursors) cursor.start(levels_[0].places);
    if (caught_at_ > 0) {
        drain(0);
        return wide_ ? walk_wide(cursors, trips) : walk_as<Narrow>(cursors, trips);
    }
    Keeper keeper(*this);
    if (by_lines(cursors)) return line_by_line(keeper, cursors, trips);
    for (; trips > 0; --trips)
        for (Cursor& cursor : cursors) {
            access_all(keeper, cursor.reference, cursor.kind, cursor.address, cursor.bytes);
            cursor.address += cursor.step;
        }
}

void OneWay::run(const List& list) {
    Keeper keeper(*this);
    for (std::size_t k = 0; k < list.count; ++k)
        access_all(keeper, list.reference ? list.reference[k] : 0,
                   list.kind ? static_cast<Kind>(list.kind[k]) : Kind::load, list.addresses[k], list.bytes);
}

void OneWay::answer(std::size_t level, const Request* requests, std::size_t count) {
    wide_ ? answer_wide(level, requests, count) : answer_as<Narrow>(level, requests, count);
}

// Answers what waits for a level, or keeps it.
void OneWay::drain(std::size_t level) {
    Queue& queue = queues_[level];
    const std::size_t asked = std::exchange(queue.next, queue.begin()) - queue.begin();
    if (level == caught_at_) caught_.insert(caught_.end(), queue.begin(), queue.begin() + asked);
    if (level == caught_at_ || level == levels_.size()) return;
    for (std::size_t done = 0; done < asked; done += batch) {
        if (queues_[level + 1].room() < 2 * batch) drain(level + 1);
        answer(level, queue.begin() + done, std::min(batch, asked - done));
    }
}

void OneWay::drain_all() {
    for (std::size_t level = 0; level <= levels_.size(); ++level) drain(level);
}

// Lines that a reference has asked of a level.
std::uint64_t OneWay::wanted(std::size_t reference, std::size_t level) const {
    if (level == 0) return accesses_[reference];
    const Level& inside = levels_[level - 1];
    const std::uint64_t filling = inside.lines > 1 ? inside.tallies[gives_back(reference)].missed : 0;
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
