// Simulates one multiprocessor of a GPU, warp instruction by warp instruction.
//
// Each sub-core issues one instruction per cycle. Dependences are those of the compiler's control words: stall counts
// for fixed latencies, six scoreboard counters per warp for variable ones. Requests leave a sub-core through its queue,
// arbitrate for the path that the sub-cores share, and beyond it queue for this multiprocessor's share of L2 and
// memory. Times are cycles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::timing {

inline constexpr int counters = 6, subcores = 4, banks = 2;
inline constexpr std::uint32_t block_barriers = 16, warp_threads = 32;

// A `barrier` takes `more_latency` longer than one of the block; `groups` is its number, `amount` the threads that it
// waits for, 0 for all of the block; `pass` arrives there and does not wait. A `fence` waits for all requests of its warp, and takes
// its latency, `more_latency` longer if there were any since the last one, and `serial` cycles of the multiprocessor.
// `commit` closes a group of copies into shared memory; `drain` waits until all but `groups` of these groups are
// complete. `begin`, `arrive` and `await` are of an mbarrier: `amount` is the number of arrivals that end a phase, the
// sectors that an arrival announces, the parity of the phase that is waited for. `product` ends a group of products of a
// warpgroup, `products` waits until all but `groups` of these are complete.
#define FORETELL_TIMING_KINDS(X) \
    X(plain) X(load) X(store) X(shared) X(barrier) X(exit) X(commit) X(drain) X(fence) X(begin) X(arrive) \
    X(await) X(pass) X(product) X(products)

#define X(name) name,
enum class Kind : std::uint8_t { FORETELL_TIMING_KINDS(X) };
#undef X

// Cost of one execution of an instruction, in cycles unless said otherwise.
//   gap           occupancy of the unit
//   latency       of the result (a load: on an L1 hit)
//   read_latency  until the operands are read
//   fetch         until the next instruction of the sub-core is available
//   path          occupancy of the shared path
//   misses, sectors          fraction of executions that go to L2, and sectors of each
//   far_misses, far_sectors  fraction of those that go to memory, and sectors of each
//   written       of each of these: sectors written to L2
//   serial        additional occupancy of L2 by atomics and stores to few lines
//   walked        fraction of a line of constants that it goes on; `line_gap` and `line_wait` of a line that others have
//                 not fetched
//   busiest       occupancy of the slice of L2 that has most of these: requests to others do not wait for it
//   more_latency  beyond L1
//   joins         fraction of the others that wait for a line in flight to L1, without a request
//   crowds        fraction of its L2 service with random arrivals, which delays others
//   merges        fraction of a store that joins the one before, if no other request went beyond L1 since then
//   again         further occupancy of the unit if other lanes of the warp execute the instruction next
#define FORETELL_TIMING_COSTS(X)                                                               \
    X(stall, 1) X(gap, 1) X(latency, 0) X(read_latency, 0) X(fetch, 1) X(path, 0) X(misses, 0) \
    X(sectors, 0) X(far_misses, 0) X(far_sectors, 0) X(written, 0) X(serial, 0) X(lines, 1)    \
    X(more_latency, 0) X(joins, 0) X(crowds, 1) X(busiest, 0) X(walked, 0) X(line_gap, 0) X(line_wait, 0) \
    X(again, 0) X(merges, 0)

// An instruction with the cost of one execution. The fields that every instruction needs fill one cache line.
struct alignas(64) Op {
    std::uint32_t instruction = 0;
    Kind kind = Kind::plain;
    std::uint8_t unit = 0;       // resource of the sub-core that executes it
    std::uint8_t path_name = 0;  // resource that the shared path is accounted to
    std::uint8_t wait = 0;       // mask of counters
    std::int8_t write = -1, read = -1;
    std::uint8_t ports[banks] = {0, 0};  // operands read from each register bank
    std::uint8_t groups = 0;
    bool copies = false;       // into shared memory: completes with its group
    bool leaps = false;        // to constants that other warps may not read
    std::uint8_t lanes = 0;    // that arrive
    std::uint16_t object = 0;  // mbarrier, or the one that a bulk copy (of `amount` sectors) completes; 0: none
    std::uint16_t amount = 0;
    std::uint16_t place = 0;  // few sectors, to which stores are merged that follow each other; 0: others
#define X(name, usual) double name = usual;
    FORETELL_TIMING_COSTS(X)
#undef X
};

// A queue beyond the multiprocessor, in cycles.
//   gap            of one sector
//   crowding       queueing delay at half load: requests of all multiprocessors arrive at random, so the delay grows as
//                  load / (1 - load)
//   longest_wait   cap of that delay
//   window         over which the load is averaged
//   credit         unused service of the multiprocessor that it can use later: others used it meanwhile
#define FORETELL_TIMING_SERVER(X) X(gap) X(latency) X(crowding) X(longest_wait) X(window) X(credit)

struct Server {
#define X(name) double name = 0;
    FORETELL_TIMING_SERVER(X)
#undef X
    std::vector<std::pair<double, double>> spread;  // fractions of all lines, ascending, and their additional latency
};

// Parameters of the multiprocessor, in cycles.
//   address_gap      between two memory instructions of a sub-core
//   constant_lines   number of lines that the cache of constants by an index of each lane holds
//   backlog          of L2 or memory at which the path stalls
//   beside           fraction of the memory pressure that delays L2 hits
//   branch           from a taken branch to the next instruction
//   cold_fetch       of an instruction that was not executed before
//   operand_wait     tolerated delay of operands
//   arrival_path     of the shared path: a warp that arrives at a barrier
//   release_path     of the shared path: a barrier of a block that opens
//   block_start      between the starts of two blocks
//   block_turn       from the end of a block to the start of the next in its place
#define FORETELL_TIMING_MACHINE(X)                                                                \
    X(address_gap) X(backlog) X(beside) X(barrier_latency) X(barrier_gap) X(branch) X(cold_fetch) \
    X(operand_wait) X(arrival_path) X(release_path) X(block_start) X(block_turn) X(constant_lines)

// Resources that do not belong to an instruction, by index.
#define FORETELL_TIMING_NAMES(X)                                                        \
    X(l2_name) X(memory_name) X(barrier_name) X(issue_name) X(ports_name) X(start_name)

struct Machine {
#define X(name) double name = 0;
    FORETELL_TIMING_MACHINE(X)
#undef X
#define X(name) std::uint8_t name = 0;
    FORETELL_TIMING_NAMES(X)
#undef X
    std::size_t resources = 0;
    std::size_t queue = 1;           // entries of a sub-core's memory queue
    std::int64_t partition_run = 1;  // consecutive requests whose lines are in one L2 partition
    Server l2, memory;
};

using Trace = std::vector<std::uint32_t>;  // executed ops of a warp

// A block: the trace of each of its warps.
struct Block {
    std::vector<std::uint32_t> warps;
};

struct Program {
    std::vector<Op> ops;
    std::vector<Trace> traces;
    std::vector<Block> blocks;         // kinds of blocks, none without warps
    std::vector<std::uint32_t> order;  // kind of each block that runs here, in order
    std::size_t resident = 1;          // concurrent blocks
    std::size_t instructions = 0;      // of the text
};

// Idle issue cycles, of all sub-cores together, are attributed to the dependence of the next instruction: a latency or
// a gap (queueing) of a resource.
struct Result {
    double cycles = 0;
    double issued = 0;               // cycles in which a sub-core issued, or fetched
    std::vector<double> busy;        // by resource, all sub-cores together
    std::vector<double> idle;        // 2 * resource, + 1 for its gap
    double tail = 0;                 // after a sub-core's last instruction
    std::vector<double> executions;  // by instruction
    std::vector<double> waiting;     // by instruction: [instruction * 2 * resources + …], as idle
};

Result run(const Program& program, const Machine& machine);

// Blocks of different length on all multiprocessors, started in order where a place is free.
//   alone   cycles of each block on an idle multiprocessor
//   demand  cycles of each block on a multiprocessor that is full: its share of the throughput
// The blocks of a multiprocessor advance alike, more slowly than alone where they ask for more than its throughput.
// Returns the time at which the last one ends.
double last_end(const std::vector<double>& alone, const std::vector<double>& demand, std::size_t multiprocessors,
                std::size_t resident);

// A trace whose uniform loops can be folded. Loops are found by `instruction_of` each op: they start at targets of
// backward jumps. With `uneven` also a loop that most of the trace consists of, if its rounds differ.
class Foldable {
public:
    Foldable(Trace ops, const std::vector<std::uint32_t>& instruction_of, std::size_t least, bool uneven);

    // Keeps the fraction `keep` of the iterations of every loop, at least `least`.
    Trace folded(double keep) const;
    // Whether a loop whose rounds differ is folded.
    bool uneven() const {
        return std::ranges::any_of(loops_, [](const Loop& loop) { return !loop.begins.empty(); });
    }

private:
    struct
        Loop {  // consecutive iterations of equal length and content; where they differ, where each begins, and the end
        std::size_t begin = 0, round = 0, count = 0;
        std::vector<std::size_t> begins;

        std::size_t after(std::size_t rounds) const { return begins.empty() ? begin + rounds * round : begins[rounds]; }
    };
    class Stretches;
    static std::vector<Loop> loops_of(const Trace& ops, const std::vector<std::uint32_t>& instruction_of);
    void choose(std::vector<Loop> found);
    void choose_uneven(const std::vector<std::uint32_t>& instruction_of);

    Trace ops_;
    std::size_t least_;
    std::vector<Loop> loops_;  // in order, disjoint
};

}  // namespace foretell::timing
