// What an instrumented program and the runtime share. The instrumented code touches the data below inline; everything
// rarer is a call. Names and layouts are those that frontends/trace/instrument/helpers.py writes into LLVM IR.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foretell::trace {

// Shadow of four bytes of the program's memory: the level of the value they hold, and when it was written.
struct Cell {
    std::uint32_t level;
    std::uint32_t written;
};
constexpr std::uint32_t kMixed =
    0xffffffff;  // `level` and `written` of a cell with bytes written apart: see the byte map

constexpr unsigned kChunk = 20;  // shadow is allocated for 2^20 bytes of program memory at a time
constexpr unsigned kAddress = 48;
constexpr std::size_t kRing = std::size_t{1} << 14;  // references handed to the locality engines at a time
constexpr std::size_t kDepth = 2048;                 // loops inside loops, also across calls
constexpr int kMostEngines = 4;                      // line sizes
constexpr int kTrips = 48;                           // ranges of trip counts: below 1, 2, 4, 8…
constexpr std::uint32_t kLevels = 1u << 22;          // levels that are counted one by one; beyond, groups of levels
constexpr std::uint32_t kLevelRoom = 1u << 12;       // … and those reached before ft_coarsen is told of them

// Executions of a loop whose trip counts have the same number of bits; `ticks` counts iterations of all loops inside.
struct Executions {
    std::uint64_t entries, iterations, ticks;
};

// A loop in one calling context; the root stands for the kernel itself.
struct Loop {
    std::uint64_t* levels;  // operations of each level (or group of levels)
    Loop* parent;
    struct Function* function;
    std::int32_t index;  // among the loops of its function; -1: the root
    std::uint32_t id;
    std::uint64_t entries, iterations, least, most;
    std::uint32_t carried;   // bits of Carried
    std::uint32_t lines[4];  // where each kind of dependence was seen first
    std::uint32_t active;    // frames that run it: more than one in a recursion
    Executions by_trips[kTrips];
    std::uint64_t* distances[kMostEngines];  // counts of Distances, for each line size
    Loop* next;
};

enum Carried : std::uint32_t { kRaw = 0, kReduction = 1, kWar = 2, kWaw = 3 };

// A loop that runs. The instrumented code reads `levels` and writes through `iteration`.
struct Frame {
    std::uint64_t* levels;
    std::uint32_t* iteration;  // when the current iteration began: a place in ft_bounds
    Loop* loop;
};

// A function in one calling context. Behind it: counters of its blocks, interval caches of its loads, its loops.
struct Instance {
    Instance* next;
    Loop* context;
    std::uint64_t depth;
    std::uint64_t* counters() { return reinterpret_cast<std::uint64_t*>(this + 1); }
};

// One for each traced function, in the instrumented module.
struct Function {
    Loop* context;       // the calling context that `instance` is for
    Instance* instance;  // … or nothing yet
    std::uint32_t number, blocks, sites, loops;
    const std::int32_t* parents;  // of each loop: index of the loop around it, or -1
    Instance* instances;
};

struct Traced {  // original function -> traced one
    void* original;
    void* traced;
};

}  // namespace foretell::trace

extern "C" {
// What instrumented code touches inline.
extern std::uint32_t ft_now;          // even; the lowest bit marks writes of reductions
extern std::uint32_t ft_bounds[];     // 0, then of each running loop: when it and its iteration began
extern std::uint32_t ft_level_limit;  // no level has come this far; grows with them
extern std::uint32_t ft_level_shift;  // levels are counted in groups of 2^shift
extern std::uint64_t* ft_chunks;      // address >> 20 -> what to add to 2*address to find its cells
extern std::uint64_t* ft_cursor;      // where the next reference goes
extern std::uint64_t* ft_end;
extern foretell::trace::Loop* ft_context;
extern foretell::trace::Frame* ft_frame;
extern std::uint64_t ft_arguments[1024];  // levels of the arguments of a call
extern std::uint64_t ft_result[128];      // and of its result
}
