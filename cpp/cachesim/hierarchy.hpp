// General engine: levels of any size, simulated access by access.
#pragma once

#include <cstdint>
#include <vector>

#include "cachesim/cache.hpp"
#include "cachesim/cachesim.hpp"

namespace foretell::cachesim {

class Hierarchy final : public Engine {
public:
    Hierarchy(const std::vector<Geometry>& levels, std::size_t references);

    void run(std::vector<Cursor>& cursors, std::uint64_t trips) override;
    void run(const List& list) override;
    Counts counts(std::size_t reference, std::size_t level) override { return count(reference, level); }
    MemoryCounts memory(std::size_t reference) override { return memory_[reference]; }
    std::uint64_t dirty_lines(std::size_t level) override { return caches_[level].dirty_lines(); }

    // Continues from the state of another engine: its counts, and the lines of each level, least recently used first.
    void take_counts(Engine& from);
    void take_line(std::size_t level, Line line, bool dirty) { caches_[level].insert(line, dirty ? dirty_mark : 0); }

    // Interface for loop nests: access to a line (returns the level that served it), its repetition, lines moved.
    std::size_t access(std::size_t reference, Kind kind, std::uint64_t address) {
        return fetch(reference, 0, address, kind == Kind::store ? dirty_mark : 0);
    }
    void again(std::size_t reference, std::size_t found, std::uint64_t times);
    std::uint64_t moves() const { return moves_; }
    bool holds(std::uint64_t address) const { return caches_[0].holds(places().line_of(address)); }
    const Places& places() const { return caches_[0].places(); }

private:
    std::size_t fetch(std::size_t reference, std::size_t level, std::uint64_t address, Line marks);
    void insert(std::size_t reference, std::size_t level, Line line, Line marks);
    void write_back(std::size_t reference, std::size_t level, std::uint64_t address);
    Counts& count(std::size_t reference, std::size_t level) { return counts_[level * memory_.size() + reference]; }

    std::vector<Cache> caches_;
    std::vector<Counts> counts_;
    std::vector<MemoryCounts> memory_;
    std::uint64_t moves_ = 0;  // lines inserted into any level
};

}  // namespace foretell::cachesim
