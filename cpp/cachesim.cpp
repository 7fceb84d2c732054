#include "cachesim.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

#include "simd.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

}  // namespace

Simulator::Simulator(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed, bool vectors)
    : levels_(levels.size()),
      references_(references),
      counts_(levels.size() * references),
      memory_(references),
      combining_(references, empty),
      queues_(levels.size()) {
    if (levels.empty() || references == 0) throw std::invalid_argument("expected at least one level and one reference");
    vectors = vectors && wide_vectors();
    for (const Geometry& level : levels) caches_.emplace_back(level, seed += 0x9e3779b97f4a7c15, vectors);
    for (std::size_t level = 0; level < levels_; ++level) {
        Queue& queue = queues_[level];
        queue.requests.resize(batch + ahead);
        queue.next = queue.requests.data();
        queue.end = queue.next + batch;
        queue.parts = level == 0 ? 1 : levels[level].line / levels[level - 1].line;
    }
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

// Puts a line into a level; what leaves goes outward.
void Simulator::insert(std::size_t reference, std::size_t level, std::uint64_t address, Line marks) {
    Cache& cache = caches_[level];
    const Line leaving = cache.exchange(cache.line_of(address), marks);
    ++moves_;
    if (leaving != empty) evict(reference, level, leaving);
}

// Another line has come in place of this one, where requests wait.
FORETELL_INLINE void Simulator::release(std::size_t reference, std::size_t level, Line leaving) {
    ++moves_;
    if (leaving == empty) return;
    Counts& counts = count(reference, level);
    ++counts.evictions;
    if (!Cache::is_dirty(leaving)) return;
    ++counts.writebacks;
    ask(reference, level + 1, Cache::clean(leaving), true);
}

// A level is to bring a line of the one inside, or to take it back: later, unless it is the memory.
FORETELL_INLINE void Simulator::ask(std::size_t reference, std::size_t level, Line inner, bool back) {
    if (level == levels_) {
        ++(back ? memory_[reference].writes : memory_[reference].reads);
        return;
    }
    Queue& queue = queues_[level];
    const Line line = queue.parts == 1 ? inner : inner / queue.parts;
    *queue.next = {line, static_cast<std::uint32_t>(reference), back};
    if (++queue.next == queue.end) drain(level);
}

// Brings a line to the level inside `level`. Returns where it was; `dirty` says that an exclusive level gave it up.
std::size_t Simulator::load(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty) {
    if (level == levels_) {
        ++memory_[reference].reads;
        return level;
    }
    Cache& cache = caches_[level];
    const bool exclusive = cache.geometry().inclusion == Inclusion::exclusive;
    const std::uint64_t slot = cache.find(cache.line_of(address));
    if (slot != none) {
        ++count(reference, level).hits;
        if (!exclusive) {
            cache.hit(slot);
        } else {
            dirty = cache.dirty(slot);
            cache.remove(slot);
            ++moves_;
        }
        return level;
    }
    ++count(reference, level).misses;
    const std::size_t found = load(reference, level + 1, address, dirty);
    if (!exclusive) {
        insert(reference, level, address, dirty ? dirty_mark : 0);
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
    Cache& cache = caches_[level];
    const std::uint64_t slot = cache.find(cache.line_of(address));
    if (slot != none) return cache.hit(slot, dirty_mark);
    bool dirty = false;
    if (longer(level)) load(reference, level + 1, address, dirty);
    insert(reference, level, address, dirty_mark);
}

// A line that comes back is whole, so nothing is fetched unless the lines of this level are longer.
bool Simulator::longer(std::size_t level) const {
    return level > 0 && caches_[level].geometry().line != caches_[level - 1].geometry().line;
}

// Answers what waits for a level.
FORETELL_CLONES void Simulator::drain(std::size_t level) {
    caches_[level].as([&](auto cache) __attribute__((always_inline)) {
        const bool fetches = longer(level);
        const Request *const begin = queues_[level].requests.data(), *const end = queues_[level].next;
        for (const Request* request = begin; request != end; ++request) {
            cache.prefetch(request[ahead].line);  // behind the end, one of an earlier batch
            const auto [line, reference, back] = *request;
            Line leaving;
            const bool found = cache.access(line, back ? dirty_mark : 0, 0, leaving);
            Counts& counts = count(reference, level);
            (found ? counts.hits : counts.misses) += !back;
            if (found) continue;
            if (!back || fetches) ask(reference, level + 1, line, false);
            release(reference, level, leaving);
        }
    });
    queues_[level].next = queues_[level].requests.data();
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
            insert(reference, level + 1, address, dirty ? dirty_mark : 0);
        } else {
            outer.hit(there, dirty ? dirty_mark : 0);
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
        cache.hit(slot, dirty_mark);
        return level;
    }
    ++count(reference, level).misses;
    const bool allocates = cache.geometry().write_allocate && cache.geometry().inclusion != Inclusion::exclusive;
    if (!allocates) return store_around(reference, level + 1, address);
    bool dirty = false;
    const std::size_t found = load(reference, level + 1, address, dirty);
    insert(reference, level, address, dirty_mark);
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

// An access to a line where requests wait: no level outside has a say in what the innermost one holds.
template <typename Level>
FORETELL_INLINE void Simulator::quick_access(Level& inner, std::size_t reference, std::uint64_t address, Line marks) {
    const Line line = inner.line_of(address);
    Line leaving;
    Counts& counts = count(reference, 0);
    if (inner.access(line, marks, 0, leaving)) {
        ++counts.hits;
        return;
    }
    ++counts.misses;
    ask(reference, 1, line, false);
    release(reference, 0, leaving);
}

// An access to a line, whatever happens. Returns the level that had it.
std::size_t Simulator::any_access(std::size_t reference, Kind kind, std::uint64_t address) {
    Cache& inner = caches_[0];
    if (kind == Kind::stream) {
        stream(reference, address);
        return caches_.size() + 1;  // no level counts it
    }
    const Line mark = kind == Kind::store ? dirty_mark : 0;
    const std::uint64_t slot = inner.find(inner.line_of(address));
    if (slot != none) {
        ++count(reference, 0).hits;
        inner.hit(slot, mark);
        return 0;
    }
    if (mark && !inner.geometry().write_allocate) return store_around(reference, 0, address);
    ++count(reference, 0).misses;
    bool dirty = false;
    const std::size_t found = load(reference, 1, address, dirty);
    insert(reference, 0, address, dirty ? dirty_mark : mark);
    return found;
}

// Calls `use` with the function that does one access.
template <typename Use>
FORETELL_INLINE void Simulator::with_access(Use use) {
    if (!later_) return use([this](auto... access) { return any_access(access...); });
    caches_[0].as([&](auto inner) __attribute__((always_inline)) {
        use([&](std::size_t reference, Kind kind, std::uint64_t address) __attribute__((always_inline)) {
            const std::uint64_t before = count(reference, 0).misses;
            quick_access(inner, reference, address, kind == Kind::store ? dirty_mark : 0);
            return count(reference, 0).misses - before;
        });
    });
}

// Every line that the bytes touch is an access of its own.
template <typename Access>
FORETELL_INLINE std::size_t Simulator::access_all(Access access, std::size_t reference, Kind kind,
                                                  std::uint64_t address, std::uint32_t bytes) {
    const std::uint64_t line = caches_[0].geometry().line;
    const std::size_t found = access(reference, kind, address);
    const std::uint64_t last = caches_[0].line_of(address + bytes - 1);
    for (std::uint64_t next = caches_[0].line_of(address) + 1; next <= last; ++next)
        access(reference, kind, next * line);
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
    Line line = empty;       // line by line: the one that is marked as in use for it
    std::uint64_t counted = 0;  // and the accesses that had been counted before

    Line mark() const { return kind == Kind::store ? dirty_mark : 0; }

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

// Whether nothing but a line that comes into the innermost level takes another one out of it, by LRU, and a set has
// room for a line of every reference.
bool Simulator::by_lines(const std::vector<Cursor>& cursors) const {
    const Geometry& inner = caches_[0].geometry();
    const auto simple = [&](const Cursor& cursor) { return !cursor.may_cross(inner.line); };
    return later_ && inner.policy == Policy::lru && cursors.size() <= inner.ways &&
           std::ranges::all_of(cursors, simple);
}

// A reference comes to a line, is on it, or has its last access there.
template <typename Level>
FORETELL_INLINE void Simulator::visit(Level& inner, std::vector<Cursor>& cursors, Cursor& cursor) {
    if (cursor.left == 0) {
        cursor.arrive(caches_[0]);
        const bool stays = cursor.left > 1;
        quick_access(inner, cursor.reference, cursor.address, cursor.mark() | (stays ? in_use : 0));
        if (stays) cursor.line = inner.line_of(cursor.address);
    } else if (cursor.left == 1) {
        leave(inner, cursors, cursor);
    }
    cursor.walk(1);
}

// The last access to a line that is in use, perhaps by others too.
template <typename Level>
FORETELL_INLINE void Simulator::leave(Level& inner, const std::vector<Cursor>& cursors, Cursor& cursor) {
    const Line line = std::exchange(cursor.line, empty);
    Line others = 0, own;
    for (const Cursor& other : cursors) others |= other.line == line;
    inner.access(line, 0, others ? 0 : in_use, own);
}

// Only the first and the last access to a line: between them it hits, for no other takes a line that is in use. Lines
// that nobody is on are in the order of their last accesses. The oldest of them, which leaves, is older than those in
// use, too: references together are on fewer lines than a set has, so it is none of the lines that they were on last.
template <typename Level>
FORETELL_INLINE void Simulator::line_by_line(Level& inner, std::vector<Cursor>& cursors, std::uint64_t trips) {
    std::vector<Cursor*> jumping;
    const auto jump = [&](Cursor& cursor) __attribute__((always_inline)) {
        quick_access(inner, cursor.reference, cursor.address, cursor.mark());
        cursor.address += cursor.step;
    };
    for (Cursor& cursor : cursors) {
        if (cursor.jumps) jumping.push_back(&cursor);
        cursor.left = 0;
        count(cursor.reference, 0).hits += trips;  // and those that are counted one by one are taken off in the end
        cursor.counted = count(cursor.reference, 0).hits + count(cursor.reference, 0).misses;
    }
    for (std::uint64_t done = 0; done < trips;) {
        std::uint64_t quiet = trips - done - 1;  // iterations that follow, in which all that do not jump stay
        for (Cursor& cursor : cursors) {
            if (cursor.jumps) {
                jump(cursor);
            } else {
                visit(inner, cursors, cursor);
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
        Counts& counts = count(cursor.reference, 0);
        counts.hits -= counts.hits + counts.misses - cursor.counted;
        if (cursor.line == empty) cursor.line = inner.line_of(cursor.address - cursor.step);
        leave(inner, cursors, cursor);
    }
}

// While every reference stays on its line, an iteration that moved no line between levels, or that left all of them in
// the innermost one, is followed by equal ones: recency (LRU, PLRU) and dirty marks after it are what they were, FIFO
// and random do not see hits. So the rest of such a run is counted, not simulated.
template <typename Access>
FORETELL_INLINE void Simulator::step_by_step(Access access, std::vector<Cursor>& cursors, std::uint64_t trips) {
    while (trips > 0) {
        std::uint64_t run = trips;
        for (const Cursor& cursor : cursors) run = std::min(run, cursor.left);
        std::uint64_t done = 0;
        bool steady = false;
        while (done < run && !steady) {
            const std::uint64_t before = moves_;
            for (Cursor& cursor : cursors) {
                const std::uint64_t address = cursor.address + done * cursor.step;
                cursor.found = cursor.across ? access_all(access, cursor.reference, cursor.kind, address, cursor.bytes)
                                             : access(cursor.reference, cursor.kind, address);
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
            caches_[0].find(caches_[0].line_of(cursor.address)) == none)
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

FORETELL_CLONES void Simulator::inner_loop(std::vector<Cursor>& cursors, std::uint64_t trips) {
    const std::uint64_t line = caches_[0].geometry().line;
    for (Cursor& cursor : cursors) {
        cursor.jumps = static_cast<std::uint64_t>(std::abs(cursor.step)) >= line && !cursor.may_cross(line);
        cursor.across = false;
        cursor.arrive(caches_[0]);
    }
    if (by_lines(cursors))
        caches_[0].as([&](auto inner) __attribute__((always_inline)) { line_by_line(inner, cursors, trips); });
    else
        with_access([&](auto access) __attribute__((always_inline)) { step_by_step(access, cursors, trips); });
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

FORETELL_CLONES void Simulator::run(const std::uint64_t* addresses, std::size_t count, const std::uint8_t* kind,
                    const std::uint32_t* reference, std::uint32_t bytes) {
    const bool streams = kind && std::find(kind, kind + count, static_cast<std::uint8_t>(Kind::stream)) != kind + count;
    const Postponement requests(*this, one_way() && !streams);
    with_access([&](auto access) __attribute__((always_inline)) {
        for (std::size_t k = 0; k < count; ++k)
            access_all(access, reference ? reference[k] : 0, kind ? static_cast<Kind>(kind[k]) : Kind::load,
                       addresses[k], bytes);
    });
}

}  // namespace foretell::cachesim
