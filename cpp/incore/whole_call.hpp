// Follows a whole call of compiled functions: how often each instruction is executed, and the cycles of each on an
// out-of-order core, timed in windows.
//
// Integer registers, flags and stored words are followed exactly, so that the versions of a loop that run, peeled and
// remaining iterations, alias checks and early exits are those of the sizes and addresses at hand. Iterations of an
// innermost loop that repeat the last ones (same path, operands of all its comparisons advance by constants) are counted
// without executing them; where a call is too long nevertheless, some iterations of outer loops represent the others.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "incore/line_levels.hpp"
#include "incore/ooo_core.hpp"

namespace foretell::ooo_core {

// Loops of the code by number. `loop_at`: innermost loop of each instruction, -1 where there is none; `heads`: first
// instruction of each loop; `parents`: the loop around each, -1 for the outermost. `ends`: jumps on unknown values that
// leave their loop, and how often each is met until it does, in the mean.
struct Loops {
    std::vector<std::int32_t> loop_at, heads, parents;
    std::vector<std::pair<std::int32_t, double>> ends = {};
};

struct CallLimits {
    std::int64_t instructions = 2'000'000;       // executed one by one, until iterations of outer loops are sampled
    std::int64_t window = 6000, warm_up = 1500;  // instructions of a timed window, and those before its times count
    std::int64_t timed = 400'000;                // instructions in windows of the whole call
    std::int64_t windows_of_loop = 16;           // and windows of one loop
    std::int64_t whole = 400'000;                // shorter calls are timed from their beginning to their end
    bool strides = false;                        // whether addresses are recorded
    std::int64_t repeats = 3;                    // such calls before the one that counts
    double surprises = 0.5;                      // share of the mispredictions of random data that are counted
    bool remembered = false;                     // whether jumps on data are foreseen from a long history alone
    bool chooses = false;                        // whether selections on data take one of their sides by chance
    bool ends_known = false;                     // whether a loop whose end is not known ends the call in a failure
    Levels levels = {};                          // from where loads that data steer bring lines; none: all from L1
    std::vector<std::int32_t> steered = {};      // these loads
    double total = 0;                            // of the same call with all from L1: its instructions,
    bool sampled = false;                        // and whether iterations represented others
};

struct CallResult {
    std::vector<double> counts, cycles;     // of each instruction, over the whole call
    std::vector<double> iterations, exits;  // of each loop, over the whole call
    std::vector<double> arguments;          // of each call of a library function: sum of its third argument
    std::vector<double> misses;             // of each jump on unknown values: mispredictions, were its data random
    std::vector<std::int32_t> open_jumps;   // conditional jumps that depend on unknown values
    std::vector<std::int32_t> updates;      // stores to what was loaded from the same unknown place of an object
    std::vector<double> repeating;          // cycles where such places repeat; empty without updates
    std::vector<std::int32_t> steered;      // loads at known places without strides, where jumps on data decide the way
    std::vector<std::int32_t> held_exits;   // jumps on unknown values that would leave a loop, and are taken to stay
    double accesses = 0;                    // share of the timed cycles in which L1 is busy
    std::int64_t executed = 0, timed = 0;   // instructions executed, and those of windows
    bool sampled = false;                   // iterations of outer loops represent others
    std::vector<double> entries;            // of each loop; this and what follows only where strides are asked for
    std::vector<std::int64_t> places;       // first address of each load and store, -1: none
    std::vector<std::int64_t> spans;        // bytes between the lowest and the highest address of each
    std::vector<std::vector<std::int64_t>>
        strides;  // bytes that each moves with the loops around it, innermost first, and from entry to entry of the outermost
    std::vector<bool> irregular;  // whether some of these change
    std::string failure;          // why the call could not be followed to its end; empty: it was
};

CallResult follow_call(const Code& code, const Core& core, const Start& start, const Loops& loops,
                       const CallLimits& limits);

}  // namespace foretell::ooo_core
