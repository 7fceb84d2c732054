// General engine: levels of any policy, simulated access by access.
#pragma once

#include <cstdint>
#include <vector>

#include "cachesim/cache.hpp"
#include "cachesim/cachesim.hpp"

namespace foretell::cachesim {

class Hierarchy final : public Engine {
public:
    Hierarchy(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed);

    void run(std::vector<Cursor>& cursors, std::uint64_t trips) override;
    void run(const List& list) override;
    Counts counts(std::size_t reference, std::size_t level) override { return count(reference, level); }
    MemoryCounts memory(std::size_t reference) override { return memory_[reference]; }
    std::uint64_t dirty_lines(std::size_t level) override { return caches_[level].dirty_lines(); }

    // Continues from the state of another engine: its counts, and the lines of each level, least recently used first.
    void take_counts(Engine& from);
    void take_line(std::size_t level, Line line, bool dirty) { caches_[level].exchange(line, dirty ? dirty_mark : 0); }

    // Interface for loop nests: access to a line (returns the level that served it), its repetition, lines moved.
    std::size_t access(std::size_t reference, Kind kind, std::uint64_t address);
    void again(std::size_t reference, std::size_t found, std::uint64_t times);
    std::uint64_t moves() const { return moves_; }
    bool holds(std::uint64_t address) const;
    const Places& places() const { return caches_[0].places(); }

private:
    std::size_t load(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty);
    std::size_t store_around(std::size_t reference, std::size_t level, std::uint64_t address);
    void stream(std::size_t reference, std::uint64_t address);
    void combine(std::size_t reference, std::uint64_t address);
    void insert(std::size_t reference, std::size_t level, std::uint64_t address, Line marks);
    void evict(std::size_t reference, std::size_t level, Line leaving);
    void write_back(std::size_t reference, std::size_t level, std::uint64_t address);
    bool longer(std::size_t level) const;
    bool invalidate(std::size_t level, std::uint64_t address, std::uint64_t bytes);
    Counts& count(std::size_t reference, std::size_t level) { return counts_[level * memory_.size() + reference]; }

    std::vector<Cache> caches_;
    std::size_t levels_;
    std::vector<Counts> counts_;
    std::vector<MemoryCounts> memory_;
    std::vector<Line> combining_;  // line in the write-combining buffer of a reference
    std::uint64_t moves_ = 0;      // lines inserted into or removed from any level
};

}  // namespace foretell::cachesim
