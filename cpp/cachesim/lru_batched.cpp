#include "cachesim/lru_batched.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cachesim/hierarchy.hpp"

namespace foretell::cachesim {

bool LruBatched::fits(const std::vector<Geometry>& levels, std::size_t references) {
    const auto fits = [](const Geometry& level) { return level.ways <= 32 && level.sets < 1 << 27; };
    return 2 * references <= 1 << who_bits && std::ranges::all_of(levels, fits);
}

LruBatched::Level::Level(const Geometry& of, std::size_t references, std::uint64_t inside, bool wide)
    : geometry(of),
      places(of),
      lines(inside),
      stride(std::bit_ceil(std::max<std::uint64_t>(of.ways, wide ? Wide::lanes : Narrow::lanes))),
      slots((of.sets * stride + 15) / 16),
      tallies(references) {}

LruBatched::LruBatched(const std::vector<Geometry>& levels, std::size_t references, bool vectors)
    : wide_(vectors && wide_vectors()),
      reach_(std::uint64_t{1} << line_bits),
      accesses_(references),
      waiting_((levels.size() + 1) * (most + apart)),
      caught_at_(levels.size() + 1) {
    for (std::size_t level = 0; level <= levels.size(); ++level)
        queues_.emplace_back(waiting_.data() + level * (most + apart));
    std::uint64_t inner = levels[0].line;
    for (const Geometry& level : levels) {
        levels_.emplace_back(level, references, level.line / std::exchange(inner, level.line), wide_);
        reach_ = std::min<std::uint64_t>(reach_, level.line * level.sets * no_tag);
    }
}

// Consequences of a miss: requests to the next level, appended at `next`, in lines of this level.
struct LruBatched::Outlet {
    std::uint64_t *missed, *filled, *written;  // by requester
    bool fetches;                              // also for a write-back

    explicit Outlet(Level& level)
        : missed(level.tallies.missed()),
          filled(level.tallies.filled()),
          written(level.tallies.written()),
          fetches(level.lines > 1) {}

    // Handles a miss: fetches the line (always at the innermost level) and writes back the victim. Returns the new end.
    template <bool innermost, typename Sets>
    FORETELL_INLINE Request* pass(Sets& sets, Spot spot, Request request, Tag leaving, Request* next) const {
        const Who who = request.who();
        ++missed[who];
        if (innermost || !request.back() || fetches) *next++ = request.wanted();
        if (leaving < no_tag) [[likely]]
            return next;
        if (innermost && leaving & tag_in_use) [[unlikely]]
            leaving = sets.spare(spot, leaving);
        filled[who] += leaving == no_tag;
        if (leaving & dirty_tag) {
            ++written[who];
            *next++ = Request(sets.line_of(leaving, request.line()), who | 1);
        }
        return next;
    }
};

// Calls `work` with the sets of a level.
template <typename Slots, typename Work>
FORETELL_INLINE void LruBatched::with_sets(Level& level, Work work) {
    const auto as = [&]<int vectors>(std::integral_constant<int, vectors>) __attribute__((always_inline)) {
        if (level.places.set_bits >= 0) {
            Recent<Slots, vectors, true> sets(level.places, level.geometry.ways, level.set(0));
            work(sets);
        } else {
            Recent<Slots, vectors, false> sets(level.places, level.geometry.ways, level.set(0));
            work(sets);
        }
    };
    if (level.stride == Slots::lanes) return as(std::integral_constant<int, 1>{});
    if (level.stride == 2 * Slots::lanes) return as(std::integral_constant<int, 2>{});
    if constexpr (Slots::lanes == Narrow::lanes) {
        if (level.stride == 4 * Slots::lanes) return as(std::integral_constant<int, 4>{});
        as(std::integral_constant<int, 8>{});
    }
}

template <bool innermost, typename Sets>
FORETELL_INLINE LruBatched::Request* LruBatched::answer_with(Sets& sets, Outlet outlet, const Request* requests,
                                                             std::size_t count, Request* next) {
    Spot spots[batch + ahead];
    for (std::size_t k = 0; k < count; ++k) spots[k] = sets.spot(requests[k].line(), requests[k].marks());
    std::fill_n(spots + count, ahead, Spot{});
    for (std::size_t k = 0; k < count; ++k) {
        if (!innermost) sets.prefetch(spots[k + ahead]);
        Tag leaving;
        if (!sets.access(spots[k], innermost ? requests[k].marks_lost() : 0, leaving))
            next = outlet.pass<innermost>(sets, spots[k], requests[k], leaving, next);
    }
    return next;
}

template <typename Slots>
FORETELL_INLINE void LruBatched::answer_as(std::size_t level, const Request* requests, std::size_t count) {
    Queue& queue = queues_[level + 1];
    with_sets<Slots>(levels_[level], [&](auto& sets) __attribute__((always_inline)) {
        const Outlet outlet(levels_[level]);
        queue.next = level == 0 ? answer_with<true>(sets, outlet, requests, count, queue.next)
                                : answer_with<false>(sets, outlet, requests, count, queue.next);
    });
}

// The same for loads of one reference without dirty lines. Lists are unpredictable, so the outermost level, with the
// most hits, is branch-free.
template <bool outermost, typename Sets>
FORETELL_INLINE LruBatched::Request* LruBatched::answer_plainly(Sets& sets, Outlet outlet, const Request* requests,
                                                                std::size_t count, Request* next) {
    Spot spots[batch + ahead];
    for (std::size_t k = 0; k < count; ++k) spots[k] = sets.spot(requests[k].line(), 0);
    std::fill_n(spots + count, ahead, Spot{});
    std::uint64_t missed = 0, filled = 0;
    for (std::size_t k = 0; k < count; ++k) {
        sets.prefetch(spots[k + ahead]);
        Tag leaving = no_tag;
        if (outermost) {
            const bool misses = !sets.exchange(spots[k], leaving);
            missed += misses;
            filled += misses && leaving == no_tag;
        } else if (!sets.access(spots[k], 0, leaving)) {
            *next++ = requests[k];
            ++missed;
            filled += leaving == no_tag;
        }
    }
    const Who who = requests[0].who();
    outlet.missed[who] += missed;
    outlet.filled[who] += filled;
    return next;
}

template <typename Slots>
FORETELL_INLINE void LruBatched::answer_plainly_as(std::size_t level, const Request* requests, std::size_t count) {
    Queue& queue = queues_[level + 1];
    with_sets<Slots>(levels_[level], [&](auto& sets) __attribute__((always_inline)) {
        const Outlet outlet(levels_[level]);
        queue.next = level + 1 == levels_.size() ? answer_plainly<true>(sets, outlet, requests, count, queue.next)
                                                 : answer_plainly<false>(sets, outlet, requests, count, queue.next);
    });
}

// Appends requests to the queue of a level.
class LruBatched::Feed {
public:
    Feed(LruBatched& levels, std::size_t level)
        : levels_(levels), level_(level), next_(queue().next), full_(queue().begin() + batch) {}
    ~Feed() { queue().next = next_; }
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // Makes room for a number of requests, at most one batch.
    FORETELL_INLINE void expect(std::size_t requests) {
        if (next_ + requests > full_) next_ = flush(levels_, level_, next_);
    }
    FORETELL_INLINE void ask(Request request) { *next_++ = request; }
    // Reserves room for requests.
    FORETELL_INLINE Request* take(std::size_t requests) { return std::exchange(next_, next_ + requests); }
    // End of the queue.
    Request* here() { return next_; }

private:
    __attribute__((noinline)) static Request* flush(LruBatched& levels, std::size_t level, Request* next) {
        levels.queues_[level].next = next;
        levels.drain(level);
        return levels.queues_[level].next;
    }
    Queue& queue() { return levels_.queues_[level_]; }

    LruBatched& levels_;
    std::size_t level_;
    Request* next_;
    Request* full_;
};

// Innermost level, simulated access by access.
template <typename Sets>
class LruBatched::Inner {
public:
    Inner(LruBatched& levels, const Sets& sets)
        : levels_(levels), sets_(sets), places_(levels.levels_[0].places), outlet_(levels.levels_[0]) {}

    // Returns 1 on a miss.
    FORETELL_INLINE std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        ++levels_.accesses_[reference];
        const Line line = places_.line_of(address);
        const Request request(line, touches(reference, kind));
        const Spot spot = sets_.spot(line, request.marks());
        Tag leaving;
        if (sets_.access(spot, 0, leaving)) return 0;
        levels_.ask_outside(outlet_.template pass<true>(sets_, spot, request, leaving, levels_.queues_[1].next));
        ++moves_;
        return 1;
    }
    void again(std::size_t reference, std::size_t, std::uint64_t times) { levels_.accesses_[reference] += times; }
    std::uint64_t moves() const { return moves_; }
    bool holds(std::uint64_t address) const { return sets_.holds(sets_.spot(places().line_of(address), 0)); }
    const Places& places() const { return places_; }

private:
    LruBatched& levels_;
    Sets sets_;  // copies of sets and places: no aliasing with stores of the simulator
    Places places_;
    Outlet outlet_;
    std::uint64_t moves_ = 0;
};

// Queues accesses for the innermost level.
class LruBatched::Keeper {
public:
    explicit Keeper(LruBatched& levels) : levels_(levels), places_(levels.levels_[0].places), feed_(levels, 0) {}

    FORETELL_INLINE void expect(std::size_t touches) { feed_.expect(touches); }
    FORETELL_INLINE void touch(std::size_t reference, Kind kind, Line line, Use use) {
        feed_.ask(Request(line, touches(reference, kind), use));
    }
    // An access to a line of its own.
    FORETELL_INLINE void jump(Cursor& cursor) {
        feed_.ask(Request(places_.line_of(cursor.address), touches(cursor.reference, cursor.kind)));
        cursor.address += cursor.step;
    }
    // Several: always writes a full vector, of which `times` count.
    static constexpr std::uint64_t jumps_at_once = 8;
    FORETELL_INLINE void jump_on(Cursor& cursor, std::uint64_t times) {
        const Who who = touches(cursor.reference, cursor.kind);
        Request* const next = feed_.take(times);
        for (std::uint64_t k = 0; k < jumps_at_once; ++k)
            next[k] = Request(places_.line_of(cursor.address + k * cursor.step), who);
        cursor.address += times * cursor.step;
    }
    // Repeats the requests since `first`, at most `most_expected`, translated by one period each time.
    static constexpr std::size_t most_expected = batch;
    Request* here() { return feed_.here(); }
    FORETELL_INLINE void repeat(const Request* first, const std::vector<Cursor>& cursors, std::uint64_t period,
                                std::uint64_t times) {
        Request again[batch];
        std::int64_t further[batch];
        const std::size_t count = std::copy(first, static_cast<const Request*>(feed_.here()), again) - again;
        for (std::size_t k = 0; k < count; ++k)
            for (const Cursor& cursor : cursors)
                if (again[k].who() / 2 == cursor.reference)
                    further[k] =
                        static_cast<std::int64_t>(period) * cursor.step / static_cast<std::int64_t>(places_.line);
        for (; times > 0; --times) {
            feed_.expect(count);
            Request* const next = feed_.take(count);
            for (std::size_t k = 0; k < count; ++k) {
                again[k].move(further[k]);
                next[k] = again[k];
            }
        }
    }
    FORETELL_INLINE std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        ++levels_.accesses_[reference];
        expect(1);
        touch(reference, kind, places().line_of(address), Use::passes);
        return 0;
    }
    // Commits accesses up to `next`, for which there was room.
    FORETELL_INLINE void wrote(const Request* next) {
        const std::size_t count = next - feed_.here();
        const Request* asked = feed_.take(count);
        if (levels_.plain_) levels_.accesses_[asked->who() / 2] += count;
        else
            for (; asked < next; ++asked) ++levels_.accesses_[asked->who() / 2];
    }
    // Accesses all lines up to `last`.
    void lines(Who who, Line line, Line last) {
        levels_.accesses_[who / 2] += last + 1 - line;
        for (; line <= last; ++line) {
            expect(1);
            feed_.ask(Request(line, who));
        }
    }
    void again(std::size_t reference, std::size_t, std::uint64_t times) { levels_.accesses_[reference] += times; }
    const Places& places() const { return places_; }

private:
    LruBatched& levels_;
    Places places_;
    Feed feed_;
};

// Whether no element spans two lines, and a set has a way for each reference.
bool LruBatched::by_lines(const std::vector<Cursor>& cursors) const {
    const Geometry& inner = levels_[0].geometry;
    const auto simple = [&](const Cursor& cursor) { return !cursor.may_cross(inner.line); };
    return cursors.size() <= inner.ways && std::ranges::all_of(cursors, simple);
}

template <typename Slots>
FORETELL_INLINE void LruBatched::follow_as(std::vector<Cursor>& cursors, std::uint64_t trips) {
    with_sets<Slots>(levels_[0], [&](auto& sets) __attribute__((always_inline)) {
        Inner inner(*this, sets);
        step_by_step(inner, cursors, trips);
    });
}

FORETELL_INLINE void LruBatched::keep_lines(std::vector<Cursor>& cursors, std::uint64_t trips) {
    Keeper keeper(*this);
    line_by_line(keeper, cursors, trips);
}

#if defined(FORETELL_WIDE)
#define FORETELL_FLAT FORETELL_WIDE __attribute__((flatten))
#else
#define FORETELL_FLAT
#endif

FORETELL_FLAT void LruBatched::follow_wide(std::vector<Cursor>& cursors, std::uint64_t trips) {
    follow_as<Wide>(cursors, trips);
}
FORETELL_FLAT void LruBatched::keep_lines_wide(std::vector<Cursor>& cursors, std::uint64_t trips) {
    keep_lines(cursors, trips);
}
FORETELL_FLAT void LruBatched::answer_wide(std::size_t level, const Request* requests, std::size_t count) {
    answer_as<Wide>(level, requests, count);
}
FORETELL_FLAT void LruBatched::answer_plainly_wide(std::size_t level, const Request* requests, std::size_t count) {
    answer_plainly_as<Wide>(level, requests, count);
}

void LruBatched::run(std::vector<Cursor>& cursors, std::uint64_t trips) {
    for (Cursor& cursor : cursors) {
        cursor.start(levels_[0].places);
        stored_ |= cursor.kind == Kind::store;
    }
    if (by_lines(cursors)) return wide_ ? keep_lines_wide(cursors, trips) : keep_lines(cursors, trips);
    if (caught_at_ > 0) {
        drain(0);
        return wide_ ? follow_wide(cursors, trips) : follow_as<Narrow>(cursors, trips);
    }
    Keeper keeper(*this);
    for (; trips > 0; --trips)
        for (Cursor& cursor : cursors) {
            access_all(keeper, cursor.reference, cursor.kind, cursor.address, cursor.bytes);
            cursor.address += cursor.step;
        }
}

// Whether a list is long, consists of loads of one reference, and no line is dirty.
bool LruBatched::plain(const List& list) const {
    return !stored_ && !list.kind && !list.reference && list.count >= 16 * batch;
}

void LruBatched::run(const List& list) {
    if (list.kind) stored_ = true;
    if (plain(list)) {
        drain_all();
        plain_ = true;
    }
    if (!list.kind && !list.reference) follow(list, [](std::size_t) { return touches(0, Kind::load); });
    else
        follow(list, [&](std::size_t k) {
            return touches(list.reference ? list.reference[k] : 0, static_cast<Kind>(list.kind ? list.kind[k] : 0));
        });
    if (!plain_) return;
    drain_all();
    plain_ = false;
}

// Simulates a list of accesses; `asker` gives the requester.
template <typename Asker>
void LruBatched::follow(const List& list, Asker asker) {
    const Places places = levels_[0].places;
    Keeper keeper(*this);
    if (list.bytes > places.line) {
        for (std::size_t k = 0; k < list.count; ++k)
            keeper.lines(asker(k), places.line_of(list.addresses[k]),
                         places.line_of(list.addresses[k] + list.bytes - 1));
        return;
    }
    for (std::size_t k = 0; k < list.count;) {
        const std::size_t end = std::min(list.count, k + batch / 2);
        keeper.expect(batch);
        Request* next = keeper.here();
        for (; k < end; ++k) {  // the second line is always written: branch-free, since a split is unpredictable
            const std::uint64_t address = list.addresses[k];
            const Line line = places.line_of(address), last = places.line_of(address + list.bytes - 1);
            const Who who = asker(k);
            next[0] = Request(line, who);
            next[1] = Request(last, who);
            next += 1 + (last - line);
        }
        keeper.wrote(next);
    }
}

void LruBatched::answer(std::size_t level, const Request* requests, std::size_t count) {
    const Request* const asked = queues_[level + 1].next;
    if (plain_) wide_ ? answer_plainly_wide(level, requests, count) : answer_plainly_as<Narrow>(level, requests, count);
    else wide_ ? answer_wide(level, requests, count) : answer_as<Narrow>(level, requests, count);
    to_lines_outside(level, asked - queues_[level + 1].begin());
}

// Converts requests to the next level, from index `from` on, to its line size.
void LruBatched::to_lines_outside(std::size_t level, std::size_t from) {
    const std::uint64_t lines = level + 1 < levels_.size() ? levels_[level + 1].lines : 1;
    if (lines == 1) return;
    Queue& queue = queues_[level + 1];
    for (Request* asked = queue.begin() + from; asked < queue.next; ++asked)
        *asked = Request(asked->line() / lines, asked->who());
}

// Commits requests up to `next` to the level after the innermost one.
void LruBatched::ask_outside(Request* next) {
    Queue& queue = queues_[1];
    const std::size_t before = std::exchange(queue.next, next) - queue.begin();
    to_lines_outside(0, before);
    if (queue.room() < 2) drain(1);
}

// Processes the queue of a level, or captures it.
void LruBatched::drain(std::size_t level) {
    Queue& queue = queues_[level];
    const std::size_t asked = std::exchange(queue.next, queue.begin()) - queue.begin();
    if (level == caught_at_) caught_.insert(caught_.end(), queue.begin(), queue.begin() + asked);
    if (level == caught_at_ || level == levels_.size()) return;
    for (std::size_t done = 0; done < asked; done += batch) {
        if (queues_[level + 1].room() < 2 * batch) drain(level + 1);
        answer(level, queue.begin() + done, std::min(batch, asked - done));
    }
}

void LruBatched::drain_all() {
    for (std::size_t level = 0; level <= levels_.size(); ++level) drain(level);
}

// Lines that a reference has requested from a level.
std::uint64_t LruBatched::wanted(std::size_t reference, std::size_t level) {
    if (level == 0) return accesses_[reference];
    Level& inside = levels_[level - 1];
    const std::uint64_t* const missed = inside.tallies.missed();
    const bool all = level == 1 || inside.lines > 1;
    return missed[wants(reference)] + (all ? missed[gives_back(reference)] : 0);
}

Counts LruBatched::counts(std::size_t reference, std::size_t level) {
    drain_all();
    const auto both = [reference](const std::uint64_t* of) { return of[wants(reference)] + of[gives_back(reference)]; };
    Tallies& tallies = levels_[level].tallies;
    const std::uint64_t brought = both(tallies.missed());
    const std::uint64_t missed = level == 0 ? brought : tallies.missed()[wants(reference)];
    return {wanted(reference, level) - missed, missed, brought - both(tallies.filled()), both(tallies.written())};
}

MemoryCounts LruBatched::memory(std::size_t reference) {
    const std::size_t last = levels_.size() - 1;
    const std::uint64_t written = counts(reference, last).writebacks;
    return {wanted(reference, last + 1), written};
}

std::uint64_t LruBatched::dirty_lines(std::size_t level) {
    drain_all();
    std::uint64_t found = 0;
    for (const Slots& slots : levels_[level].slots)
        found += std::ranges::count_if(slots.tags, [](Tag tag) { return tag & dirty_tag; });
    return found;
}

// Passes the state on to the general engine.
void LruBatched::transfer_state(Hierarchy& to) {
    to.take_counts(*this);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        Level& here = levels_[level];
        for (std::uint64_t set = 0; set < here.geometry.sets; ++set)
            for (std::uint32_t way = here.geometry.ways; way-- > 0;) {
                const Tag tag = here.set(set)[way];
                if (tag != no_tag) to.take_line(level, (tag & tag_number) * here.geometry.sets + set, tag & dirty_tag);
            }
    }
}

}  // namespace foretell::cachesim
