// Hit levels of the requests of a launch: L1 by simulation of one multiprocessor's blocks, L2 and memory by counting
// the distinct sectors that a wave of blocks, and the whole launch, touch.
//
// Blocks that were not executed are assumed to be shifted copies of one that was: the shift of each instruction's
// addresses from block to block is derived from its neighbours. Instructions without a constant shift (gathers) are
// assumed to access their array at random.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/functional/functional.hpp"

namespace foretell::gpumemory {

// Parameters of the machine.
//   l1_outstanding         outstanding requests beyond which L1 stalls
//   lockstep_throttled     fraction of the first wave that its blocks run in lockstep, if L1 stalls
//   lockstep_first_wave    the same if L1 does not stall
//   lockstep_later_waves   the same for waves long after the first
#define FORETELL_GPU_MEMORY_NUMBERS(X)                                                     \
    X(l1_outstanding) X(lockstep_throttled) X(lockstep_first_wave) X(lockstep_later_waves)

struct Question {
#define X(name) double name = 0;
    FORETELL_GPU_MEMORY_NUMBERS(X)
#undef X
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::size_t middle = 0;                             // executed block that represents all
    std::array<std::int64_t, 3> neighbour{-1, -1, -1};  // executed blocks next to it in x, y and z; -1: none
    std::uint64_t wave = 1;                             // resident blocks of the whole machine
    std::uint64_t stride = 1;                           // from one block of a multiprocessor to its next
    std::size_t resident = 1;                           // resident blocks of one multiprocessor
    bool warm = false;                                  // other blocks of the launch ran before
    std::vector<double> weights;  // of the executed blocks, if they are unequal: their mean stands for the middle one
    std::uint64_t l1_lines = 0;
    std::size_t l1_ways = 1;
    std::vector<std::uint8_t> cached;                             // by instruction: it reads through L1
    std::vector<std::uint8_t> leaves;                             // it stores, and leaves its sectors in L1
    std::vector<std::uint8_t> writes;                             // it writes, or updates
    std::vector<std::uint8_t> waits;                              // mask of counters that it waits for
    std::vector<std::uint8_t> counters;                           // counter of its result; 7: none
    std::vector<std::int32_t> back;                               // target of a backward branch; -1: none
    std::vector<std::uint8_t> empties;                            // it invalidates L1
    std::vector<std::uint8_t> by_data;                            // its addresses follow from loaded data; may be empty
    std::vector<std::pair<std::uint64_t, std::uint64_t>> arrays;  // base and bytes, ascending
};

// Requests of one instruction and one block.
struct Requests {
    double executions = 0, sectors = 0;     // of requests to global memory, in the simulation
    double block_sectors = 0;               // of the middle block
    double misses = 0, missed_sectors = 0;  // to L2
    double joins = 0;                       // others, to lines in flight
    double first_sectors = 0;               // that neither its block nor those beside it read before
    std::int32_t group = -1;
};

// Instructions that traverse one array with equal shifts. Distinct sectors, read and written; memory transfers whole
// granules, so the neighbour of a sector counts too.
struct Group {
    std::int32_t array = -1;
    bool even = true;     // constant shift from block to block
    bool ordered = true;  // whole lines, not scattered words
    bool common = false;  // blocks that differ in one grid coordinate request the same data at the same point
    double block_read = 0, wave_read = 0, wave_write = 0, launch_read = 0, launch_write = 0;
    double wave = 0, launch = 0;  // read or written
    double reach = 0;             // irregular accesses: sectors of the region of a wave
    double reread = 0;            // share of a block's requests between two reads of a sector by it; 0: no two
};

struct Answer {
    std::vector<Requests> instructions;
    std::vector<Group> groups;
};

Answer analyse(const functional::Result& executed, const Question& question);

// Whether the executed blocks beside the middle one (-1: none) execute as many instructions as it and make the same
// requests, each shifted by whole sectors.
bool alike_beside(const functional::Result& executed, std::size_t middle,
                  const std::array<std::int64_t, 3>& neighbours);

}  // namespace foretell::gpumemory
