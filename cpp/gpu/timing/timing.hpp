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

// What one execution of an instruction costs, in cycles unless said otherwise.
//   gap           the unit is taken
//   latency       until the result is there (a load: where it hits L1)
//   read_latency  until the operands are read
//   fetch         until the next instruction of the sub-core is there
//   path          the shared path is taken
//   misses, sectors          share of executions that go to L2, and sectors of each of these
//   far_misses, far_sectors  share of those that go on to memory, and sectors of each
//   written       of each of these: sectors on the way of writes to L2
//   serial        L2 is taken so much longer, by atomics on one address
//   more_latency  beyond L1
//   joins         share of the others that wait for a line on its way to L1, and ask for nothing
//   crowds        share of what it takes of L2 that comes at random, so that others wait
#define FORETELL_TIMING_COSTS(X)                                                                                  \
    X(stall, 1)                                                                                                   \
    X(gap, 1) X(latency, 0) X(read_latency, 0) X(fetch, 1) X(path, 0) X(misses, 0) X(sectors, 0) X(far_misses, 0) \
        X(far_sectors, 0) X(written, 0) X(serial, 0) X(lines, 1) X(more_latency, 0) X(joins, 0) X(crowds, 1)

// An instruction with what one execution of it costs. What every instruction needs fills one line of a cache.
struct alignas(64) Op {
    std::uint32_t instruction = 0;
    Kind kind = Kind::plain;
    std::uint8_t unit = 0;       // resource of the sub-core that executes it
    std::uint8_t path_name = 0;  // resource that the shared path is accounted to
    std::uint8_t wait = 0;       // mask of counters
    std::int8_t write = -1, read = -1;
    std::uint8_t ports[banks] = {0, 0};  // operands read from each bank of registers
    std::uint8_t groups = 0;
    bool copies = false;  // into shared memory: completes with its group
#define X(name, usual) double name = usual;
    FORETELL_TIMING_COSTS(X)
#undef X
};

// A queue beyond the multiprocessor, in cycles.
//   gap            of one sector
//   crowding       that requests wait for each other at half load: requests of all multiprocessors come at random, so
//                  waiting grows as load / (1 - load)
//   longest_wait   beyond which that grows no more
//   window         over which the load is averaged
//   credit         that the multiprocessor leaves unused and can draw later: others used it meanwhile
#define FORETELL_TIMING_SERVER(X) X(gap) X(latency) X(crowding) X(longest_wait) X(window) X(credit)

struct Server {
#define X(name) double name = 0;
    FORETELL_TIMING_SERVER(X)
#undef X
    std::vector<std::pair<double, double>> spread;  // shares of all lines, ascending, and cycles that these come later
};

// Of the multiprocessor, in cycles.
//   address_gap      between two memory instructions of a sub-core
//   backlog          of work in L2 or memory, at which the path is held up
//   beside           loads that L2 holds wait so much of the pressure on memory (a share)
//   branch           from a branch that is taken to the next instruction
//   cold_fetch       until an instruction is there that nobody has executed yet
//   operand_wait     that operands may be late
//   block_start      between the starts of two blocks
//   block_turn       from the end of a block to the start of the next in its place
#define FORETELL_TIMING_MACHINE(X)                                                                                \
    X(address_gap)                                                                                                \
    X(backlog) X(beside) X(barrier_latency) X(barrier_gap) X(branch) X(cold_fetch) X(operand_wait) X(block_start) \
        X(block_turn)

// Resources that are not of an instruction, by their place among all.
#define FORETELL_TIMING_NAMES(X) X(l2_name) X(memory_name) X(barrier_name) X(issue_name) X(ports_name) X(start_name)

struct Machine {
#define X(name) double name = 0;
    FORETELL_TIMING_MACHINE(X)
#undef X
#define X(name) std::uint8_t name = 0;
    FORETELL_TIMING_NAMES(X)
#undef X
    std::size_t resources = 0;
    std::size_t queue = 1;           // memory instructions that wait in a sub-core
    std::int64_t partition_run = 1;  // requests one after another whose lines lie in one partition of L2
    Server l2, memory;
};

using Trace = std::vector<std::uint32_t>;  // what a warp executes: numbers of ops

// A block: the trace of each of its warps.
struct Block {
    std::vector<std::uint32_t> warps;
};

struct Program {
    std::vector<Op> ops;
    std::vector<Trace> traces;
    std::vector<Block> blocks;         // kinds of blocks, none without warps
    std::vector<std::uint32_t> order;  // the kind of each block that runs here, one after another
    std::size_t resident = 1;          // blocks at a time
    std::size_t instructions = 0;      // of the text
};

// Cycles of all sub-cores together in which nothing was issued are put down to what the next instruction waited for:
// a latency or a gap (its turn) of a resource.
struct Result {
    double cycles = 0;
    double issued = 0;               // cycles in which a sub-core issued, or fetched
    std::vector<double> busy;        // of each resource, all sub-cores together
    std::vector<double> idle;        // 2 * resource, + 1 for its gap
    double tail = 0;                 // after a sub-core's last instruction
    std::vector<double> executions;  // of each instruction
    std::vector<double> waiting;     // of each instruction: [instruction * 2 * resources + …], as idle
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
