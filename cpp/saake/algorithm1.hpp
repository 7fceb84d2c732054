// Algorithm 1 of the SAAKE paper: warps of one multiprocessor that share resources with a latency and a gap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell::emulate {

inline constexpr std::int32_t barrier = -1;  // in place of a resource

// One instruction of the program text. `after`: instructions whose latest execution by the same warp it depends on.
struct Instruction {
    std::int32_t resource = barrier;
    std::int32_t region = 0;
    std::int32_t cached = -1;  // resource that serves hits; -1: no cache in front
    double transactions = 1;   // requests of one execution that enter the pipe one after another
    double miss_rate = 1;
    std::vector<std::int32_t> after;
};

// Program of every warp: the text, and the execution order of its instructions.
struct Program {
    std::vector<Instruction> text;
    std::vector<std::int32_t> order;
};

// Latency and gap in cycles, of resource r for the instructions of region g at [g * resources + r].
struct Machine {
    std::size_t resources = 0;
    std::vector<double> latency, gap;
    std::size_t schedulers = 1;   // warp w belongs to scheduler w modulo their number
    std::size_t issue_width = 1;  // instructions of one warp that a scheduler issues in one cycle
};

// Decisions of the specification that change the algorithm. All off is the text as printed.
struct Rules {
    bool clock_never_falls = true;  // SK-1
    bool all_instructions = true;   // SK-7: the last finish of all instructions, not of each warp's last one
    bool misses_to_memory = true;   // SK-8: the printed text sends misses to the cache
    bool oldest = false;            // SK-10: lowest ready warp instead of the one ready earliest
};

// One issued instruction; `instruction` is its index in the program text.
struct Event {
    std::int32_t warp, instruction, resource;
    double issue, start, finish, admit;
};

struct Result {
    double cycles = 0;
    double instructions = 0;
    std::vector<double> requests;                // transactions of each resource
    std::vector<double> busy;                    // SK-3: cycles in which a resource holds a request
    std::vector<double> printed_busy;            // line 25 as printed, start[r] at first 0
    std::vector<double> printed_busy_unbounded;  // the same, start[r] at first minus infinity
    std::vector<Event> trace;
};

// `warps` are resident at once; a finished block is replaced by the next until `blocks` have run. More than `most_steps`
// steps (issued instructions, and warps that a scheduler looks at) are a std::length_error; times beyond 2^53 cycles,
// where a double no longer counts single ones, a std::overflow_error.
Result run(const Program&, const Machine&, const Rules&, std::size_t warps, std::size_t warps_per_block,
           std::size_t blocks, bool trace, std::size_t most_steps);

// Critical path of one warp in cycles: no schedule is shorter. `share` gets each resource's part.
double critical_path(const Program&, const Machine&, std::vector<double>& share);

}  // namespace foretell::emulate
