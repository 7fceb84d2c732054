#include "cachesim/hierarchy.hpp"

namespace foretell::cachesim {

namespace {

constexpr std::uint64_t none = Cache::absent;

}  // namespace

Hierarchy::Hierarchy(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed)
    : levels_(levels.size()), counts_(levels.size() * references), memory_(references), combining_(references, empty) {
    for (const Geometry& level : levels) caches_.emplace_back(level, seed += 0x9e3779b97f4a7c15);
}

void Hierarchy::take_counts(Engine& from) {
    for (std::size_t reference = 0; reference < memory_.size(); ++reference) {
        memory_[reference] = from.memory(reference);
        for (std::size_t level = 0; level < levels_; ++level) count(reference, level) = from.counts(reference, level);
    }
}

// Inserts a line into a level; the victim moves outward.
void Hierarchy::insert(std::size_t reference, std::size_t level, std::uint64_t address, Line marks) {
    Cache& cache = caches_[level];
    const Line leaving = cache.exchange(cache.line_of(address), marks);
    ++moves_;
    if (leaving != empty) evict(reference, level, leaving);
}

// Fetches a line into the level inside `level`. Returns the level that served it; `dirty`: an exclusive level gave up a
// dirty line.
std::size_t Hierarchy::load(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty) {
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

// Receives a dirty line from the inner level.
void Hierarchy::write_back(std::size_t reference, std::size_t level, std::uint64_t address) {
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

// Whether a write-back must fetch: an inner line is complete, unless this level's lines are longer.
bool Hierarchy::longer(std::size_t level) const {
    return level > 0 && caches_[level].geometry().line != caches_[level - 1].geometry().line;
}

// Handles a line evicted from a level.
void Hierarchy::evict(std::size_t reference, std::size_t level, Line leaving) {
    const Geometry& geometry = caches_[level].geometry();
    const std::uint64_t address = Cache::clean(leaving) * geometry.line;
    bool dirty = Cache::is_dirty(leaving);
    if (geometry.inclusion == Inclusion::inclusive && level > 0) dirty |= invalidate(level, address, geometry.line);
    ++count(reference, level).evictions;
    if (dirty) ++count(reference, level).writebacks;
    const bool victim_cache = level + 1 < levels_ && caches_[level + 1].geometry().inclusion == Inclusion::exclusive;
    if (victim_cache) {
        // The line may be present already, written back by another level: a second copy would never be evicted.
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

// Invalidates a range in the levels inside `level`; returns whether any of it was dirty.
bool Hierarchy::invalidate(std::size_t level, std::uint64_t address, std::uint64_t bytes) {
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

// Store without write-allocate: to the first level that has the line or allocates, else to memory.
std::size_t Hierarchy::store_around(std::size_t reference, std::size_t level, std::uint64_t address) {
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
void Hierarchy::combine(std::size_t reference, std::uint64_t address) {
    const Line line = caches_.back().line_of(address);
    if (combining_[reference] == line) return;
    combining_[reference] = line;
    ++memory_[reference].writes;
}

// A non-temporal store bypasses and invalidates all levels; the whole line is assumed to be overwritten.
void Hierarchy::stream(std::size_t reference, std::uint64_t address) {
    combine(reference, address);
    const std::uint64_t bytes = caches_.back().geometry().line;
    invalidate(caches_.size(), address / bytes * bytes, bytes);
}

std::size_t Hierarchy::access(std::size_t reference, Kind kind, std::uint64_t address) {
    Cache& inner = caches_[0];
    if (kind == Kind::stream) {
        stream(reference, address);
        return caches_.size() + 1;  // counted at no level
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

// Repeats the last iteration `times` times.
void Hierarchy::again(std::size_t reference, std::size_t found, std::uint64_t times) {
    for (std::size_t level = 0; level < levels_ && level <= found; ++level) {
        Counts& counts = count(reference, level);
        (level == found ? counts.hits : counts.misses) += times;
    }
}

bool Hierarchy::holds(std::uint64_t address) const { return caches_[0].find(caches_[0].line_of(address)) != none; }

void Hierarchy::run(std::vector<Cursor>& cursors, std::uint64_t trips) {
    for (Cursor& cursor : cursors) cursor.start(places());
    step_by_step(*this, cursors, trips);
}

void Hierarchy::run(const List& list) {
    for (std::size_t k = 0; k < list.count; ++k)
        access_all(*this, list.reference ? list.reference[k] : 0,
                   list.kind ? static_cast<Kind>(list.kind[k]) : Kind::load, list.addresses[k], list.bytes);
}

}  // namespace foretell::cachesim
