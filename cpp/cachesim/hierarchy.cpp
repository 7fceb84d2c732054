#include "cachesim/hierarchy.hpp"

#include <algorithm>

namespace foretell::cachesim {

namespace {

Line clean(Line tag) { return tag & ~dirty_mark; }

}  // namespace

Cache::Cache(const Geometry& geometry) : places_(geometry), ways_(geometry.ways) {
    if (ways_ > most_searched) lists_.resize(geometry.sets);
    else tags_.assign(geometry.sets * ways_, empty);
}

bool Cache::holds(Line line) const {
    if (!lists_.empty()) return index_.contains(line);
    const auto first = tags_.begin() + static_cast<std::ptrdiff_t>(places_.set_of(line) * ways_);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(ways_), [=](Line tag) { return clean(tag) == line; });
}

bool Cache::access(Line line, Line marks) {
    if (lists_.empty()) {
        Line *const first = &tags_[places_.set_of(line) * ways_], *const end = first + ways_;
        Line* const found = std::find_if(first, end, [line](Line tag) { return clean(tag) == line; });
        if (found == end) return false;
        std::rotate(first, found, found + 1);
        *first |= marks;
        return true;
    }
    const auto found = index_.find(line);
    if (found == index_.end()) return false;
    std::list<Line>& list = lists_[places_.set_of(line)];
    list.splice(list.begin(), list, found->second);
    list.front() |= marks;
    return true;
}

Line Cache::insert(Line line, Line marks) {
    if (lists_.empty()) {  // empty slots are last
        Line *const first = &tags_[places_.set_of(line) * ways_], *const last = first + ways_ - 1;
        const Line leaving = *last;
        std::copy_backward(first, last, last + 1);
        *first = line | marks;
        return leaving;
    }
    std::list<Line>& list = lists_[places_.set_of(line)];
    Line leaving = empty;
    if (list.size() == ways_) {
        leaving = list.back();
        index_.erase(clean(leaving));
        list.splice(list.begin(), list, std::prev(list.end()));
        list.front() = line | marks;
    } else {
        list.push_front(line | marks);
    }
    index_[line] = list.begin();
    return leaving;
}

std::uint64_t Cache::dirty_lines() const {
    const auto dirty = [](Line tag) { return (tag & dirty_mark) != 0; };
    auto found = std::count_if(tags_.begin(), tags_.end(), dirty);
    for (const std::list<Line>& list : lists_) found += std::count_if(list.begin(), list.end(), dirty);
    return static_cast<std::uint64_t>(found);
}

Hierarchy::Hierarchy(const std::vector<Geometry>& levels, std::size_t references)
    : caches_(levels.begin(), levels.end()), counts_(levels.size() * references), memory_(references) {}

void Hierarchy::take_counts(Engine& from) {
    for (std::size_t reference = 0; reference < memory_.size(); ++reference) {
        memory_[reference] = from.memory(reference);
        for (std::size_t level = 0; level < caches_.size(); ++level)
            count(reference, level) = from.counts(reference, level);
    }
}

// Brings a line into a level and those outside it that miss. Returns the level that served it.
std::size_t Hierarchy::fetch(std::size_t reference, std::size_t level, std::uint64_t address, Line marks) {
    if (level == caches_.size()) {
        ++memory_[reference].reads;
        return level;
    }
    const Line line = caches_[level].places().line_of(address);
    if (caches_[level].access(line, marks)) {
        ++count(reference, level).hits;
        return level;
    }
    ++count(reference, level).misses;
    const std::size_t found = fetch(reference, level + 1, address, 0);
    insert(reference, level, line, marks);
    return found;
}

// Inserts a line into a level; a dirty victim is written to the next one.
void Hierarchy::insert(std::size_t reference, std::size_t level, Line line, Line marks) {
    const Line leaving = caches_[level].insert(line, marks);
    ++moves_;
    if (leaving == empty) return;
    ++count(reference, level).evictions;
    if (!(leaving & dirty_mark)) return;
    ++count(reference, level).writebacks;
    write_back(reference, level + 1, clean(leaving) * caches_[level].places().line);
}

// Receives a dirty line from the inner level. It is complete, and needs no fetch, unless this level's lines are longer.
void Hierarchy::write_back(std::size_t reference, std::size_t level, std::uint64_t address) {
    if (level == caches_.size()) {
        ++memory_[reference].writes;
        return;
    }
    const Places& places = caches_[level].places();
    const Line line = places.line_of(address);
    if (caches_[level].access(line, dirty_mark)) return;
    if (places.line != caches_[level - 1].places().line) fetch(reference, level + 1, address, 0);
    insert(reference, level, line, dirty_mark);
}

// Repeats the last iteration `times` times.
void Hierarchy::again(std::size_t reference, std::size_t found, std::uint64_t times) {
    for (std::size_t level = 0; level < caches_.size() && level <= found; ++level) {
        Counts& counts = count(reference, level);
        (level == found ? counts.hits : counts.misses) += times;
    }
}

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
