// Interface between an instrumented program and the runtime. The instrumented code accesses the data below inline;
// rarer operations are calls. Names and layouts are those that frontends/trace/instrument/helpers.py emits as LLVM IR.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foretell::trace {

// Shadow of four bytes of the program's memory: level and write time of the value.
struct Cell {
    std::uint32_t level;
    std::uint32_t written;
};
constexpr std::uint32_t kMixed =
    0xffffffff;  // `level` and `written` of a cell with bytes written separately: see the byte map

constexpr unsigned kChunk = 20;  // shadow is allocated for 2^20 bytes of program memory at a time
constexpr unsigned kAddress = 48;
constexpr std::size_t kRing = std::size_t{1} << 14;  // references per batch to the locality engines
constexpr std::size_t kDepth = 2048;                 // maximum loop depth, also across calls
constexpr int kMostEngines = 4;                      // line sizes
constexpr int kTrips = 48;                           // ranges of trip counts: below 1, 2, 4, 8…
constexpr std::uint32_t kLevels = 1u << 22;          // levels counted individually; beyond, groups of levels
constexpr std::uint32_t kLevelRoom = 1u << 12;       // … and those reached before ft_coarsen is called

// Executions of a loop whose trip counts have the same bit length; `ticks` counts iterations of all inner loops.
struct Executions {
    std::uint64_t entries, iterations, ticks;
};

// A loop in one calling context; the root represents the kernel itself.
struct Loop {
    std::uint64_t* levels;  // operations by level (or group of levels)
    Loop* parent;
    struct Function* function;
    std::int32_t index;  // among the loops of its function; -1: the root
    std::uint32_t id;
    std::uint64_t entries, iterations, least, most;
    std::uint32_t carried;   // bits of Carried
    std::uint32_t lines[4];  // source line of the first dependence of each kind
    std::uint32_t active;    // frames that run it: more than one in a recursion
    Executions by_trips[kTrips];
    std::uint64_t* distances[kMostEngines];  // counts of Distances, by line size
    Loop* next;
};

enum Carried : std::uint32_t { kRaw = 0, kReduction = 1, kWar = 2, kWaw = 3 };

// A running loop. The instrumented code reads `levels` and writes through `iteration`.
struct Frame {
    std::uint64_t* levels;
    std::uint32_t* iteration;  // start time of the current iteration: an element of ft_bounds
    Loop* loop;
};

// A function in one calling context. Followed by counters of its blocks, interval caches of its loads, its loops.
struct Instance {
    Instance* next;
    Loop* context;
    std::uint64_t depth;
    std::uint64_t* counters() { return reinterpret_cast<std::uint64_t*>(this + 1); }
};

// One per traced function, in the instrumented module.
struct Function {
    Loop* context;       // calling context of `instance`
    Instance* instance;  // … or null
    std::uint32_t number, blocks, sites, loops;
    const std::int32_t* parents;  // by loop: index of the outer loop, or -1
    Instance* instances;
};

struct Traced {  // original function -> traced one
    void* original;
    void* traced;
};

}  // namespace foretell::trace

extern "C" {
// Data that instrumented code accesses inline.
extern std::uint32_t ft_now;          // even; the lowest bit marks writes of reductions
extern std::uint32_t ft_bounds[];     // 0, then for each running loop: start times of it and of its iteration
extern std::uint32_t ft_level_limit;  // above all levels so far; grows with them
extern std::uint32_t ft_level_shift;  // levels are counted in groups of 2^shift
extern std::uint64_t* ft_chunks;      // address >> 20 -> offset to add to 2*address to find its cells
extern std::uint64_t* ft_cursor;      // position of the next reference
extern std::uint64_t* ft_end;
extern foretell::trace::Loop* ft_context;
extern foretell::trace::Frame* ft_frame;
extern std::uint64_t ft_arguments[1024];  // levels of the arguments of a call
extern std::uint64_t ft_result[128];      // and of its result
}
