// One multiprocessor of a GPU, warp instruction by warp instruction.
//
// Sub-cores issue one instruction a cycle each. Dependences are those that the compiler wrote into the control words:
// stall counts for fixed latencies, six counters a warp for variable ones. Requests leave a sub-core through its
// queue, take turns on the path that the sub-cores share, and beyond it queue for this multiprocessor's share of L2
// and memory. Times are cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::timing {

inline constexpr int counters = 6, subcores = 4, banks = 2;

// `commit` closes a group of copies into shared memory; `drain` waits until all but `groups` of these groups have arrived.
#define FORETELL_TIMING_KINDS(X) X(plain) X(load) X(store) X(shared) X(barrier) X(exit) X(commit) X(drain)

#define X(name) name,
enum class Kind : std::uint8_t { FORETELL_TIMING_KINDS(X) };
#undef X

// An instruction with what one execution of it costs. What every instruction needs fills one line of a cache.
struct alignas(64) Op {
    std::uint32_t instruction = 0;
    Kind kind = Kind::plain;
    std::uint8_t unit = 0;        // resource of the sub-core that executes it
    std::uint8_t path_name = 0;   // resource that the shared path is accounted to
    std::uint8_t wait = 0;        // mask of counters
    std::int8_t write = -1, read = -1;
    std::uint8_t ports[banks] = {0, 0};  // operands read from each bank of registers
    std::uint8_t groups = 0;
    bool copies = false;          // into shared memory: completes with its group
    double stall = 1;
    double gap = 1;               // the unit is taken
    double latency = 0;           // until the result is there (a load: where it hits L1)
    double read_latency = 0;      // until the operands are read
    double fetch = 1;             // cycles until the next instruction of the sub-core is there
    double path = 0;              // the shared path is taken
    double misses = 0;            // share of executions that go to L2
    double sectors = 0;           // of each of these
    double far_misses = 0;        // share of those that go on to memory
    double far_sectors = 0;       // of each of those
    double written = 0;           // of each of these: sectors on the way of writes to L2
    double serial = 0;            // L2 is taken so many cycles more, by atomics on one address
    double lines = 1;
    double more_latency = 0;      // beyond L1
    double joins = 0;             // share of the others that wait for a line on its way to L1, and ask for nothing
    double crowds = 1;            // share of what it takes of L2 that comes at random, so that others wait
};

// A queue beyond the multiprocessor. `crowding` are the cycles that requests wait for each other at half load: requests
// of all multiprocessors come at random, so waiting grows as load / (1 - load).
// What the multiprocessor leaves unused for up to `credit` cycles it can draw later: others used it meanwhile.
struct Server {
    double gap = 1;      // of one sector
    double latency = 0;
    std::vector<std::pair<double, double>> spread;  // shares of all lines, ascending, and cycles that these come later
    double crowding = 0;
    double credit = 0;
};

struct Machine {
    std::size_t resources = 0;
    Server l2, memory;
    std::uint8_t l2_name = 0, memory_name = 0, barrier_name = 0, issue_name = 0, ports_name = 0, start_name = 0;
    double address_gap = 1;      // of one sub-core's memory instructions
    std::size_t queue = 8;       // memory instructions that wait in a sub-core
    double backlog = 512;        // cycles of work in L2 or memory at which the path is held up
    double beside = 0;           // loads that L2 holds wait so much of the pressure on memory
    double barrier_latency = 0, barrier_gap = 0;
    double jump = 0;             // from a branch that is taken to the next instruction
    double cold_fetch = 0;       // cycles until an instruction is there that nobody has executed yet
    double block_start = 0;      // between the starts of two blocks
    double block_turn = 0;       // from the end of a block to the start of the next in its place
};

using Trace = std::vector<std::uint32_t>;  // what a warp executes: numbers of ops

// A block: the trace of each of its warps.
struct Block {
    std::vector<std::uint32_t> warps;
};

struct Program {
    std::vector<Op> ops;
    std::vector<Trace> traces;
    std::vector<Block> blocks;             // kinds of blocks, none without warps
    std::vector<std::uint32_t> order;      // the kind of each block that runs here, one after another
    std::size_t resident = 1;              // blocks at a time
    std::size_t instructions = 0;          // of the text
};

// Cycles of all sub-cores together in which nothing was issued are put down to what the next instruction waited for:
// a latency or a gap (its turn) of a resource.
struct Result {
    double cycles = 0;
    double issued = 0;                        // cycles in which a sub-core issued, or fetched
    std::vector<double> busy;                 // of each resource, all sub-cores together
    std::vector<double> idle;                 // 2 * resource, + 1 for its gap
    double tail = 0;                          // after a sub-core's last instruction
    std::vector<double> executions;           // of each instruction
    std::vector<double> waiting;              // of each instruction: [instruction * 2 * resources + …], as idle
};

Result run(const Program& program, const Machine& machine);

// A trace whose loops that go round alike can be cut short. Loops are found by `instruction_of` each op: they begin where
// control goes back.
class Foldable {
public:
    Foldable(Trace ops, const std::vector<std::uint32_t>& instruction_of, std::size_t least);

    // Every loop goes round the share `keep` of its times, `least` at least.
    Trace folded(double keep) const;

private:
    struct Loop {  // rounds of one length that follow each other and are alike
        std::size_t begin = 0, round = 0, count = 0;
    };
    class Stretches;
    static std::vector<Loop> loops_of(const Trace& ops, const std::vector<std::uint32_t>& instruction_of);
    void choose(std::vector<Loop> found);

    Trace ops_;
    std::size_t least_;
    std::vector<Loop> loops_;  // in order, none inside or across another
};

}  // namespace foretell::timing
