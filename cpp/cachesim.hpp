// Caches that are simulated access by access. Levels are given from the inside out; all accesses come from one core.
#pragma once

#include <cstdint>
#include <vector>

#include "cache.hpp"

namespace foretell::cachesim {

enum class Kind : std::uint8_t { load, store, stream };

// What one reference did at one level. Evictions and write-backs count for the reference that caused them.
struct Counts {
    std::uint64_t hits = 0, misses = 0, evictions = 0, writebacks = 0;
};

// Lines that moved between the outermost level and memory.
struct MemoryCounts {
    std::uint64_t reads = 0, writes = 0;
};

// A bound of a loop: constant + sum of coefficients times the variables of the loops around it.
struct Bound {
    std::int64_t constant;
    std::vector<std::int64_t> coefficients;
};

// for (v = first; v < end; v += step)
struct Loop {
    Bound first, end;
    std::int64_t step;
};

// address = base + sum of strides times loop variables, in bytes
struct Reference {
    std::int64_t base;
    std::vector<std::int64_t> strides;
    std::uint32_t bytes;
    Kind kind;
};

class Simulator {
public:
    // `vectors` says whether sets are searched with vectors of 64 bytes: the counts are the same.
    Simulator(const std::vector<Geometry>& levels, std::size_t references, std::uint64_t seed, bool vectors);

    // The accesses of a loop nest; its references are counted as first, first + 1, … Returns the number of accesses.
    std::uint64_t run(const std::vector<Loop>& loops, const std::vector<Reference>& references, std::size_t first,
                      std::uint64_t limit);

    // One access after the other. `reference` and `kind` are arrays, or null for reference 0 and loads.
    void run(const std::uint64_t* addresses, std::size_t count, const std::uint8_t* kind,
             const std::uint32_t* reference, std::uint32_t bytes);

    std::size_t levels() const { return caches_.size(); }
    std::size_t references() const { return memory_.size(); }
    const Counts& counts(std::size_t reference, std::size_t level) const {
        return counts_[level * memory_.size() + reference];
    }
    const MemoryCounts& memory(std::size_t reference) const { return memory_[reference]; }
    std::uint64_t dirty_lines(std::size_t level) const { return caches_[level].dirty_lines(); }

private:
    // A line that the level inside wants, or one that it gives back.
    struct Request {
        Line line;
        std::uint32_t reference, back;
    };
    // What a level will be asked, in order.
    struct Queue {
        std::vector<Request> requests;
        Request *next, *end;
        std::uint64_t parts;  // lines of the level inside to a line of this one
    };
    struct Cursor;
    void inner_loop(std::vector<Cursor>& cursors, std::uint64_t trips);
    bool by_lines(const std::vector<Cursor>& cursors) const;
    template <typename Level>
    void line_by_line(Level& inner, std::vector<Cursor>& cursors, std::uint64_t trips);
    template <typename Level>
    void visit(Level& inner, std::vector<Cursor>& cursors, Cursor& cursor);
    template <typename Level>
    void leave(Level& inner, const std::vector<Cursor>& cursors, Cursor& cursor);
    template <typename Access>
    void step_by_step(Access access, std::vector<Cursor>& cursors, std::uint64_t trips);
    bool settle(std::vector<Cursor>& cursors) const;
    void repeat(const std::vector<Cursor>& cursors, std::uint64_t times);
    template <typename Level>
    void quick_access(Level& inner, std::size_t reference, std::uint64_t address, Line marks);
    std::size_t any_access(std::size_t reference, Kind kind, std::uint64_t address);
    template <typename Use>
    void with_access(Use use);
    template <typename Access>
    std::size_t access_all(Access access, std::size_t reference, Kind kind, std::uint64_t address, std::uint32_t bytes);
    class Postponement;
    bool one_way() const;
    void drain(std::size_t level);
    std::size_t load(std::size_t reference, std::size_t level, std::uint64_t address, bool& dirty);
    std::size_t store_around(std::size_t reference, std::size_t level, std::uint64_t address);
    void stream(std::size_t reference, std::uint64_t address);
    void combine(std::size_t reference, std::uint64_t address);
    void release(std::size_t reference, std::size_t level, Line leaving);
    void insert(std::size_t reference, std::size_t level, std::uint64_t address, Line marks);
    void ask(std::size_t reference, std::size_t level, Line inner, bool back);
    void evict(std::size_t reference, std::size_t level, Line leaving);
    void write_back(std::size_t reference, std::size_t level, std::uint64_t address);
    bool longer(std::size_t level) const;
    bool invalidate(std::size_t level, std::uint64_t address, std::uint64_t bytes);
    Counts& count(std::size_t reference, std::size_t level) { return counts_[level * references_ + reference]; }

    // Requests that wait for a level before they are answered: few enough for a real cache. What they will look at is
    // asked of the real caches so many requests ahead: more would not be under way at a time.
    static constexpr std::size_t batch = 1024, ahead = 12;

    std::vector<Cache> caches_;
    std::size_t levels_, references_;
    std::vector<Counts> counts_;
    std::vector<MemoryCounts> memory_;
    std::vector<Line> combining_;          // the line that a reference's write-combining buffer holds
    std::vector<Queue> queues_;            // by level: what it will be asked
    bool later_ = false;                         // whether requests wait
    std::uint64_t moves_ = 0;              // lines that came to or left any level
};

}  // namespace foretell::cachesim
