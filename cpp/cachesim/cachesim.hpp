// Trace-driven cache simulation. Levels are given from the inside out; all accesses are of one core.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cachesim/cache.hpp"
#include "cachesim/cursor.hpp"

namespace foretell::cachesim {

// Events of one reference at one level. Evictions and write-backs count for the reference that caused them.
struct Counts {
    std::uint64_t hits = 0, misses = 0, evictions = 0, writebacks = 0;
};

// Lines transferred between the outermost level and memory.
struct MemoryCounts {
    std::uint64_t reads = 0, writes = 0;
};

// Affine loop bound: constant + sum of coefficients times the variables of the outer loops.
// Of a bound with `others`, the tightest counts.
struct Bound {
    std::int64_t constant;
    std::vector<std::int64_t> coefficients;
    std::vector<Bound> others;
};

// The smallest of a bound and its others with these loop variables, or the largest.
std::int64_t value(const Bound& bound, const std::vector<std::int64_t>& variables, bool smallest);

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

// List of accesses. `reference` and `kind` are arrays, or null for reference 0 and loads.
struct List {
    const std::uint64_t* addresses;
    std::size_t count;
    const std::uint8_t* kind;
    const std::uint32_t* reference;
    std::uint32_t bytes;
};

// Simulates accesses through all levels.
class Engine {
public:
    virtual ~Engine() = default;
    virtual void run(std::vector<Cursor>& cursors, std::uint64_t trips) = 0;
    virtual void run(const List& list) = 0;
    virtual Counts counts(std::size_t reference, std::size_t level) = 0;
    virtual MemoryCounts memory(std::size_t reference) = 0;
    virtual std::uint64_t dirty_lines(std::size_t level) = 0;
};

class Hierarchy;
class LruBatched;

class Simulator {
public:
    // `vectors`: whether sets are searched with vectors of 64 bytes; the counts are the same.
    Simulator(const std::vector<Geometry>& levels, std::size_t references, bool vectors);
    ~Simulator();

    // Simulates a loop nest; its references are counted as first, first + 1, … Returns the number of accesses.
    std::uint64_t run(const std::vector<Loop>& loops, const std::vector<Reference>& references, std::size_t first,
                      std::uint64_t limit);
    void run(const List& list);

    std::size_t levels() const { return geometry_.size(); }
    std::size_t references() const { return references_; }
    Counts counts(std::size_t reference, std::size_t level) { return engine_->counts(reference, level); }
    MemoryCounts memory(std::size_t reference) { return engine_->memory(reference); }
    std::uint64_t dirty_lines(std::size_t level) { return engine_->dirty_lines(level); }

private:
    class Walk;
    void prepare(std::uint64_t highest);

    std::vector<Geometry> geometry_;
    std::size_t references_;
    std::unique_ptr<LruBatched> lru_batched_;  // as long as it can simulate all accesses
    std::unique_ptr<Engine> any_;
    Engine* engine_;
};

}  // namespace foretell::cachesim
