#include "cachesim.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>

#include "simd.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

}  // namespace

Simulator::Simulator(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed)
    : levels_(levels.size()),
      counts_(levels.size() * references),
      memory_(references),
      hints_(references, 0),
      combining_(references, empty),
      waiting_(levels.size()) {
    if (levels.empty() || references == 0) throw std::invalid_argument("expected at least one level and one reference");
    for (const Geometry& level : levels) caches_.emplace_back(level, seed += 0x9e3779b97f4a7c15);
    for (std::vector<Request>& requests : waiting_) {
        requests.resize(batch);
        next_.push_back(requests.data());
    }
    caches_[0].allow_pins();
}

// Whether nothing that a level outside does is seen by one inside: then requests may wait until there are many, and the
// real caches can be asked for what the next ones will look at.
bool Simulator::one_way() const {
    const auto plain = [](const Cache& cache) { return cache.geometry().inclusion == Inclusion::none; };
    return caches_[0].geometry().write_allocate && std::ranges::all_of(caches_, plain);
}

// While there is one, requests wait; in the end all are answered, whatever happened meanwhile.
class Simulator::Postponement {
public:
    Postponement(Simulator& simulator, bool wanted) : simulator_(simulator) { simulator.later_ = wanted; }
    Postponement(const Postponement&) = delete;
    Postponement& operator=(const Postponement&) = delete;
    ~Postponement() {
        for (std::size_t level = 1; level < simulator_.levels_; ++level) simulator_.drain(level);
        simulator_.later_ = false;
    }

private:
    Simulator& simulator_;
};

// Puts a line into a level; what leaves goes outward. Returns the slot.
FORETELL_INLINE std::uint64_t Simulator::insert(std::size_t reference, std::size_t level, std::uint64_t address,
                                                bool dirty) {
    Cache& cache = caches_[level];
    std::uint64_t slot;
    const Line leaving = cache.exchange(cache.line_of(address), dirty, slot);
    ++moves_;
    if (leaving == empty) return slot;
    if (later_ && !Cache::is_dirty(leaving))
        ++count(reference, level).evictions;
    else
        evict(reference, level, leaving);
    return slot;
}

// Brings a line to the level inside `level`. Returns where it was; `dirty` says that an exclusive level gave it up.
FORETELL_INLINE std::size_t Simulator::load(std::size_t reference, std::size_t level, std::uint64_t address,
                                            bool& dirty) {
    if (level == levels_) {
        ++memory_[reference].reads;
        return level;
    }
    if (!later_) return load_now(reference, level, address, dirty);
    postpone(level, address, reference, false);
    return level;
}

std::size_t Simulator::load_now(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty) {
    Cache& cache = caches_[level];
    const bool exclusive = cache.geometry().inclusion == Inclusion::exclusive;
    const std::uint64_t slot = cache.find(cache.line_of(address));
    if (slot != none) {
        ++count(reference, level).hits;
        if (!exclusive) {
            cache.touch(slot);
        } else {
            dirty = cache.dirty(slot);
            cache.remove(slot);
            ++moves_;
        }
        return level;
    }
    return bring(reference, level, address, dirty);
}

// The same for a line that is not in `level`.
std::size_t Simulator::bring(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty) {
    ++count(reference, level).misses;
    const std::size_t found = load(reference, level + 1, address, dirty);
    if (caches_[level].geometry().inclusion != Inclusion::exclusive) {
        insert(reference, level, address, dirty);
        dirty = false;
    }
    return found;
}

// A dirty line arrives from inside.
void Simulator::write_back(std::size_t reference, std::size_t level, std::uint64_t address) {
    if (level == levels_) {
        ++memory_[reference].writes;
        return;
    }
    if (later_) {
        postpone(level, address, reference, true);
        return;
    }
    Cache& cache = caches_[level];
    const std::uint64_t slot = cache.find(cache.line_of(address));
    if (slot == none) {
        put_back(reference, level, address);
    } else {
        cache.touch(slot);
        cache.mark(slot);
    }
}

// The same for a line that is not in `level`. It is whole, so nothing is fetched unless the lines of this level are longer.
void Simulator::put_back(std::size_t reference, std::size_t level, std::uint64_t address) {
    bool dirty = false;
    if (level > 0 && caches_[level].geometry().line != caches_[level - 1].geometry().line)
        load(reference, level + 1, address, dirty);
    insert(reference, level, address, true);
}

// A miss of the innermost level. Returns the slot; `found` is the level that had the line.
FORETELL_INLINE std::uint64_t Simulator::fetch(std::size_t reference, Kind kind, std::uint64_t address,
                                               std::size_t& found) {
    ++count(reference, 0).misses;
    bool dirty = false;
    found = load(reference, 1, address, dirty);
    return insert(reference, 0, address, dirty || kind == Kind::store);
}

// Answers what waits for a level.
void Simulator::drain(std::size_t level) {
    constexpr std::ptrdiff_t ahead = 12;  // more would not be under way at a time
    Cache& cache = caches_[level];
    const Request *const begin = waiting_[level].data(), *const end = next_[level];
    for (const Request* request = begin; request != end; ++request) {
        if (end - request > ahead) cache.prefetch(request[ahead].address);
        const std::size_t reference = request->reference_and_back / 2;
        const bool back = request->reference_and_back % 2;
        const std::uint64_t slot = cache.find(cache.line_of(request->address));
        bool dirty = false;
        if (slot != none) {
            cache.touch(slot);
            if (back)
                cache.mark(slot);
            else
                ++count(reference, level).hits;
        } else if (back) {
            put_back(reference, level, request->address);
        } else {
            bring(reference, level, request->address, dirty);
        }
    }
    next_[level] = waiting_[level].data();
}

// A line has left a level.
void Simulator::evict(std::size_t reference, std::size_t level, Line leaving) {
    const Geometry& geometry = caches_[level].geometry();
    const std::uint64_t address = Cache::clean(leaving) * geometry.line;
    bool dirty = Cache::is_dirty(leaving);
    if (geometry.inclusion == Inclusion::inclusive && level > 0) dirty |= invalidate(level, address, geometry.line);
    ++count(reference, level).evictions;
    if (dirty) ++count(reference, level).writebacks;
    const bool victim_cache = level + 1 < levels_ && caches_[level + 1].geometry().inclusion == Inclusion::exclusive;
    if (victim_cache) {
        // The line may be there already, put back by another level: two copies would never leave.
        Cache& outer = caches_[level + 1];
        const std::uint64_t there = outer.find(outer.line_of(address));
        if (there == none) {
            insert(reference, level + 1, address, dirty);
        } else {
            outer.touch(there);
            if (dirty) outer.mark(there);
        }
    } else if (dirty) {
        write_back(reference, level + 1, address);
    }
}

// Takes a range out of the levels inside `level`; whether any of it was dirty.
bool Simulator::invalidate(std::size_t level, std::uint64_t address, std::uint64_t bytes) {
    bool dirty = false;
    for (std::size_t inner = 0; inner < level; ++inner) {
        Cache& cache = caches_[inner];
        for (std::uint64_t at = address; at < address + bytes; at += cache.geometry().line) {
            const std::uint64_t slot = cache.find(cache.line_of(at));
            if (slot == none) continue;
            dirty |= cache.dirty(slot);
            cache.remove(slot);
            ++moves_;
        }
    }
    return dirty;
}

// A store that allocates nothing: to the first level that has the line or allocates, else to memory.
std::size_t Simulator::store_around(std::size_t reference, std::size_t level, std::uint64_t address) {
    if (level == levels_) {
        combine(reference, address);
        return level;
    }
    Cache& cache = caches_[level];
    const std::uint64_t slot = cache.find(cache.line_of(address));
    if (slot != none) {
        ++count(reference, level).hits;
        cache.touch(slot);
        cache.mark(slot);
        return level;
    }
    ++count(reference, level).misses;
    const bool allocates = cache.geometry().write_allocate && cache.geometry().inclusion != Inclusion::exclusive;
    if (!allocates) return store_around(reference, level + 1, address);
    bool dirty = false;
    const std::size_t found = load(reference, level + 1, address, dirty);
    insert(reference, level, address, true);
    return found;
}

// Stores of one reference to one line leave the write-combining buffer as one write.
void Simulator::combine(std::size_t reference, std::uint64_t address) {
    const Line line = caches_.back().line_of(address);
    if (combining_[reference] == line) return;
    combining_[reference] = line;
    ++memory_[reference].writes;
}

// A streaming store goes past all levels and takes the line out of them; the whole line is taken to be overwritten.
void Simulator::stream(std::size_t reference, std::uint64_t address) {
    combine(reference, address);
    const std::uint64_t bytes = caches_.back().geometry().line;
    invalidate(caches_.size(), address / bytes * bytes, bytes);
}

std::size_t Simulator::slow_access(std::size_t reference, Kind kind, std::uint64_t address, Line line) {
    Cache& inner = caches_[0];
    if (kind == Kind::stream) {
        stream(reference, address);
        return caches_.size() + 1;  // no level counts it
    }
    const std::uint64_t slot = inner.find(line);
    if (slot != none) {
        hints_[reference] = slot;
        ++count(reference, 0).hits;
        inner.touch(slot);
        if (kind == Kind::store) inner.mark(slot);
        return 0;
    }
    if (kind == Kind::store && !inner.geometry().write_allocate) return store_around(reference, 0, address);
    std::size_t found = 0;
    hints_[reference] = fetch(reference, kind, address, found);
    return found;
}

inline std::size_t Simulator::access_line(std::size_t reference, Kind kind, std::uint64_t address) {
    Cache& inner = caches_[0];
    const Line line = inner.line_of(address);
    const std::uint64_t slot = hints_[reference];
    if (!inner.holds(slot, line) || kind == Kind::stream) return slow_access(reference, kind, address, line);
    ++count(reference, 0).hits;
    inner.touch(slot);
    if (kind == Kind::store) inner.mark(slot);
    return 0;
}

// Every line that the bytes touch is an access of its own.
inline std::size_t Simulator::access(std::size_t reference, Kind kind, std::uint64_t address, std::uint32_t bytes) {
    const std::uint64_t line = caches_[0].geometry().line;
    const std::size_t found = access_line(reference, kind, address);
    const std::uint64_t last = caches_[0].line_of(address + bytes - 1);
    for (std::uint64_t next = caches_[0].line_of(address) + 1; next <= last; ++next)
        access_line(reference, kind, next * line);
    return found;
}

// A reference on its way through the innermost loop.
struct Simulator::Cursor {
    std::size_t reference;
    std::int64_t address;
    std::int64_t step;  // bytes from one iteration to the next
    std::uint32_t bytes;
    Kind kind;
    std::uint64_t left = 0;  // iterations that stay on this line, the next one included
    bool across = false;     // the element lies on more than one line
    bool jumps = false;      // every element lies on a line of its own, and on one only
    std::size_t found = 0;   // the level of the last access
    std::uint64_t slot = none;    // line by line: where its line is, pinned
    std::uint64_t missed = 0;     // and how often it was not there

    // Whether an element may lie on more than one line.
    bool may_cross(std::uint64_t line) const {
        return line % bytes != 0 || address % bytes != 0 || step % static_cast<std::int64_t>(bytes) != 0;
    }

    void arrive(const Cache& cache) {
        const std::int64_t line = static_cast<std::int64_t>(cache.geometry().line);
        if (jumps) {
            left = 1;
            return;
        }
        const std::int64_t offset = address - static_cast<std::int64_t>(cache.line_of(address)) * line;
        const std::int64_t room = line - bytes - offset;
        across = room < 0;
        if (across || std::abs(step) >= line)
            left = 1;
        else if (step == 0)
            left = std::numeric_limits<std::uint64_t>::max();
        else
            left = static_cast<std::uint32_t>(step > 0 ? room : offset) / static_cast<std::uint32_t>(std::abs(step)) + 1;
    }

    void walk(std::uint64_t iterations) {
        address += static_cast<std::int64_t>(iterations) * step;
        left -= iterations;
    }

    void advance(std::uint64_t iterations, const Cache& cache) {
        walk(iterations);
        if (left == 0) arrive(cache);
    }
};

void Simulator::inner_loop(std::vector<Cursor>& cursors, std::uint64_t trips) {
    const std::uint64_t line = caches_[0].geometry().line;
    for (Cursor& cursor : cursors) {
        cursor.jumps = static_cast<std::uint64_t>(std::abs(cursor.step)) >= line && !cursor.may_cross(line);
        cursor.across = false;
        cursor.arrive(caches_[0]);
    }
    const std::uint64_t done = by_lines(cursors) ? line_by_line(cursors, trips) : 0;
    step_by_step(cursors, trips - done);
}

// Whether nothing but a line that comes into the innermost level takes another one out of it, by LRU.
bool Simulator::by_lines(const std::vector<Cursor>& cursors) const {
    const Geometry& inner = caches_[0].geometry();
    const auto simple = [&](const Cursor& cursor) {
        return cursor.kind != Kind::stream && !cursor.may_cross(inner.line);
    };
    const auto inclusive = [](const Cache& cache) { return cache.geometry().inclusion == Inclusion::inclusive; };
    return inner.policy == Policy::lru && inner.write_allocate && std::ranges::all_of(cursors, simple) &&
           std::ranges::none_of(caches_, inclusive);
}

// A reference comes to a line and stays on it; false where the lines in use leave no room for it.
FORETELL_INLINE bool Simulator::enter(Cursor& cursor) {
    Cache& inner = caches_[0];
    const Line line = inner.line_of(cursor.address);
    cursor.slot = inner.find(line);
    if (cursor.slot == none) {
        if (!inner.has_room(line)) return false;
        cursor.slot = fetch(cursor.reference, cursor.kind, cursor.address, cursor.found);
        ++cursor.missed;
    } else if (cursor.kind == Kind::store) {
        inner.mark(cursor.slot);
    }
    inner.pin(cursor.slot);
    return true;
}

FORETELL_INLINE void Simulator::leave(Cursor& cursor) {
    if (cursor.slot == none) return;
    caches_[0].unpin(cursor.slot);
    caches_[0].touch(cursor.slot);
    cursor.slot = none;
}

// Only what happens when a reference comes to another line: until then it hits, for its line is pinned. The line is
// touched when the reference leaves it, so lines that nobody is on are in the order of their last accesses. Where the
// lines in use fill a set, the caches are left as they are at that access; its iteration is finished access by access,
// and the rest is for others. Returns the iterations done.
std::uint64_t Simulator::line_by_line(std::vector<Cursor>& cursors, std::uint64_t trips) {
    Cursor *const begin = cursors.data(), *const end = begin + cursors.size();
    std::uint64_t done = 0;
    std::size_t stopped = cursors.size();  // at the reference that finds its set full
    while (done < trips) {
        std::uint64_t run = trips - done;
        Cursor* cursor = begin;
        for (; cursor != end; ++cursor) {
            if (cursor->left == 0) {
                leave(*cursor);
                cursor->arrive(caches_[0]);
            }
            if (cursor->slot == none && !enter(*cursor)) break;
            run = std::min(run, cursor->left);
        }
        if (cursor != end) {
            stopped = static_cast<std::size_t>(cursor - begin);
            break;
        }
        for (cursor = begin; cursor != end; ++cursor) cursor->walk(run);
        done += run;
    }
    for (std::size_t k = 0; k < cursors.size(); ++k) {  // those after the stop had their last access before the others
        Cursor& cursor = cursors[(stopped + k) % cursors.size()];
        count(cursor.reference, 0).hits += done + (stopped + k >= cursors.size() && done < trips) - cursor.missed;
        leave(cursor);
        cursor.missed = 0;
    }
    if (done == trips) return done;
    for (std::size_t k = 0; k < cursors.size(); ++k) {
        if (cursors[k].left == 0) cursors[k].arrive(caches_[0]);
        if (k >= stopped) access_line(cursors[k].reference, cursors[k].kind, cursors[k].address);
        cursors[k].advance(1, caches_[0]);
    }
    return done + 1;
}

// While every reference stays on its line, an iteration that moved no line between levels, or that left all of them in
// the innermost one, is followed by equal ones: recency (LRU, PLRU) and dirty marks after it are what they were, FIFO
// and random do not see hits. So the rest of such a run is counted, not simulated.
void Simulator::step_by_step(std::vector<Cursor>& cursors, std::uint64_t trips) {
    while (trips > 0) {
        std::uint64_t run = trips;
        for (const Cursor& cursor : cursors) run = std::min(run, cursor.left);
        std::uint64_t done = 0;
        bool steady = false;
        while (done < run && !steady) {
            const std::uint64_t before = moves_;
            for (Cursor& cursor : cursors) {
                const std::uint64_t address = cursor.address + done * cursor.step;
                cursor.found = cursor.across ? access(cursor.reference, cursor.kind, address, cursor.bytes)
                                             : access_line(cursor.reference, cursor.kind, address);
            }
            ++done;
            steady = moves_ == before || settle(cursors);
        }
        if (run > done) repeat(cursors, run - done);
        for (Cursor& cursor : cursors) cursor.advance(run, caches_[0]);
        trips -= run;
    }
}

// Whether the next iteration on the same lines hits the innermost level only; says so in the cursors.
bool Simulator::settle(std::vector<Cursor>& cursors) const {
    for (const Cursor& cursor : cursors)
        if (cursor.kind == Kind::stream || cursor.across ||
            !caches_[0].holds(hints_[cursor.reference], caches_[0].line_of(cursor.address)))
            return false;
    for (Cursor& cursor : cursors) cursor.found = 0;
    return true;
}

// The last iteration again, `times` times.
void Simulator::repeat(const std::vector<Cursor>& cursors, std::uint64_t times) {
    for (const Cursor& cursor : cursors) {
        if (cursor.kind == Kind::stream) continue;
        for (std::size_t level = 0; level < caches_.size() && level <= cursor.found; ++level) {
            Counts& counts = count(cursor.reference, level);
            (level == cursor.found ? counts.hits : counts.misses) += times;
        }
    }
}

namespace {

std::int64_t value(const Bound& bound, const std::vector<std::int64_t>& variables) {
    std::int64_t result = bound.constant;
    for (std::size_t k = 0; k < bound.coefficients.size(); ++k) result += bound.coefficients[k] * variables[k];
    return result;
}

std::uint64_t trip_count(std::int64_t first, std::int64_t end, std::int64_t step) {
    if (step > 0) return first < end ? (end - first + step - 1) / step : 0;
    return first > end ? (first - end - step - 1) / -step : 0;
}

}  // namespace

std::uint64_t Simulator::run(const std::vector<Loop>& loops, const std::vector<Reference>& references,
                             std::size_t first, std::uint64_t limit) {
    const auto streams = [](const Reference& reference) { return reference.kind == Kind::stream; };
    const Postponement requests(*this, one_way() && std::ranges::none_of(references, streams));
    const std::size_t depth = loops.size();
    std::vector<std::int64_t> variables(depth, 0);
    std::vector<std::uint64_t> left(depth, 0);
    std::vector<Cursor> cursors;
    for (std::size_t k = 0; k < references.size(); ++k)
        cursors.push_back({first + k, 0, references[k].strides[depth - 1] * loops[depth - 1].step,
                           references[k].bytes, references[k].kind});
    std::uint64_t total = 0;
    const auto enter = [&](std::size_t k) {
        variables[k] = value(loops[k].first, variables);
        left[k] = trip_count(variables[k], value(loops[k].end, variables), loops[k].step);
    };
    const auto innermost = [&] {
        const std::uint64_t trips = left[depth - 1];
        if (trips == 0) return;
        total += trips * references.size();
        if (total > limit) throw std::length_error("more accesses than the limit");
        for (std::size_t k = 0; k < cursors.size(); ++k) {
            std::int64_t address = references[k].base;
            for (std::size_t l = 0; l < depth; ++l) address += references[k].strides[l] * variables[l];
            const std::int64_t end = address + static_cast<std::int64_t>(trips - 1) * cursors[k].step;
            if (address < 0 || end < 0) throw std::out_of_range("an address is negative");
            cursors[k].address = address;
        }
        inner_loop(cursors, trips);
    };
    std::size_t level = 0;
    enter(0);
    while (true) {
        if (level == depth - 1) {
            innermost();
            left[level] = 0;
        } else if (left[level] > 0) {
            enter(++level);
            continue;
        }
        // This loop is at its end: the next iteration of the closest one around it that has any left.
        while (left[level] == 0) {
            if (level == 0) return total;
            --level;
            --left[level];
            variables[level] += loops[level].step;
        }
    }
}

void Simulator::run(const std::uint64_t* addresses, std::size_t count, const std::uint8_t* kind,
                    const std::uint32_t* reference, std::uint32_t bytes) {
    const bool streams = kind && std::find(kind, kind + count, static_cast<std::uint8_t>(Kind::stream)) != kind + count;
    const Postponement requests(*this, one_way() && !streams);
    for (std::size_t k = 0; k < count; ++k)
        access(reference ? reference[k] : 0, kind ? static_cast<Kind>(kind[k]) : Kind::load, addresses[k], bytes);
}

}  // namespace foretell::cachesim
