// Where the requests of a launch are served: L1 by simulation of one multiprocessor's blocks, L2 and memory by counting
// the different sectors that a wave of blocks, and the whole launch, touch.
//
// Blocks that were not executed are taken for shifted copies of one that was: the shift of each instruction's
// addresses from block to block is read off its neighbours. Instructions that do not shift evenly (gathers) are taken
// to fall anywhere in their array.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/functional/functional.hpp"

namespace foretell::gpumemory {

// Of the machine.
//   l1_outstanding         requests on their way at which L1 takes no more
//   lockstep_throttled     part of the first wave that its blocks are at the same point, where L1 takes no more requests
//   lockstep_first_wave    the same where it takes all
//   lockstep_later_waves   the same of waves long after the first
#define FORETELL_GPU_MEMORY_NUMBERS(X) \
    X(l1_outstanding) X(lockstep_throttled) X(lockstep_first_wave) X(lockstep_later_waves)

struct Question {
#define X(name) double name = 0;
    FORETELL_GPU_MEMORY_NUMBERS(X)
#undef X
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::size_t middle = 0;                             // which of the executed blocks stands for all
    std::array<std::int64_t, 3> neighbour{-1, -1, -1};  // executed blocks one further in x, y and z; -1: none
    std::uint64_t wave = 1;                             // blocks at a time on the whole machine
    std::uint64_t stride = 1;                           // from one block of a multiprocessor to its next
    std::size_t resident = 1;                           // blocks at a time on one multiprocessor
    bool warm = false;                                  // other blocks of the launch were there before
    std::uint64_t l1_lines = 0;
    std::size_t l1_ways = 1;
    std::vector<std::uint8_t> cached;                             // of each instruction: it reads through L1
    std::vector<std::uint8_t> writes;                             // it writes, or updates
    std::vector<std::uint8_t> waits;                              // mask of counters that it waits for
    std::vector<std::uint8_t> counters;                           // the counter of its result; 7: none
    std::vector<std::int32_t> back;                               // where it jumps back to; -1: it does not
    std::vector<std::pair<std::uint64_t, std::uint64_t>> arrays;  // base and bytes, ascending
};

// Of one instruction and one block.
struct Requests {
    double executions = 0, sectors = 0;     // of requests to global memory, in the simulation
    double block_sectors = 0;               // of the middle block
    double misses = 0, missed_sectors = 0;  // that go on to L2
    double joins = 0;                       // others, for lines that are still on their way
    std::int32_t group = -1;
};

// Instructions that walk through one array alike. Different sectors, read and written; memory moves whole granules, so
// the neighbour of a sector counts too.
struct Group {
    std::int32_t array = -1;
    bool even = true;     // shifts evenly from block to block
    bool ordered = true;  // whole lines, not words here and there
    bool common = false;  // blocks that differ in one place of the grid ask for the same, at the same point
    double block_read = 0, wave_read = 0, wave_write = 0, launch_read = 0, launch_write = 0;
    double wave = 0, launch = 0;  // read or written
    double reach = 0;             // of those that do not shift evenly: sectors among which a wave's fall
};

struct Answer {
    std::vector<Requests> instructions;
    std::vector<Group> groups;
};

Answer analyse(const functional::Result& executed, const Question& question);

}  // namespace foretell::gpumemory
