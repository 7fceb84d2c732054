#include "incore/ooo_core.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/simd.hpp"
#include "incore/core_timing.hpp"
#include "incore/integer_state.hpp"

namespace foretell::ooo_core {
namespace {

constexpr std::int64_t kFull = 16;  // reorder buffers of instructions before iterations of a loop count as steady state

}  // namespace

FORETELL_BITS Simulation follow(const Code& code, const Core& core, const Start& start,
                                const std::vector<std::int64_t>& marks, const Until& until, const Beside& beside) {
    const std::vector<Instruction>& instructions = code.instructions;
    State state(code, start, false);
    Timing timing(code, core, start.count);
    Predictor predictor(core.history, instructions.size());
    Simulation simulation;
    simulation.times.resize(marks.size());
    std::vector<std::int64_t> mark(instructions.size(), -1);
    for (std::size_t k = 0; k < marks.size(); k++)
        mark[static_cast<std::size_t>(marks[k])] = static_cast<std::int64_t>(k);
    std::uint64_t chance = 1;
    std::size_t at = 0;
    std::int64_t most = until.most;
    while (simulation.instructions < most) {
        if (at >= instructions.size()) throw std::runtime_error("the code runs past its end");
        const Instruction& one = instructions[at];
        if (one.op == Op::kStop || one.op == Op::kJumpTable)
            throw std::runtime_error("the code calls what has no known time, or jumps through a table");
        const std::uint64_t place = state.address(one.address);
        if (static_cast<std::int64_t>(at) == beside.at) timing.pass_by(beside.slots);
        const double issued = timing.issue(one);
        if (mark[at] >= 0) {
            simulation.times[static_cast<std::size_t>(mark[at])].push_back(issued);
            if (until.rounds > 0 && simulation.ends.empty() &&
                simulation.times.back().size() > static_cast<std::size_t>(until.rounds))
                most = std::min(most, std::max(simulation.instructions, kFull * core.reorder) + 1);
        }
        timing.execute(one, place, issued);
        const bool taken = state.run(one, place, chance);
        simulation.instructions++;
        if ((simulation.instructions & (simulation.instructions - 1)) == 0) timing.look_back();  // at powers of two
        if (one.op == Op::kReturn) {
            timing.jumped(true, true);
            simulation.ends.push_back(timing.end());
            most = until.most;
            if (static_cast<std::int64_t>(simulation.ends.size()) >= until.runs) break;
            state.reset();
            chance = 1;  // repeats the same call, with the same data
            at = 0;
            continue;
        }
        if (one.op == Op::kJump) timing.jumped(true, true);
        if (jumps_if(one.op)) {
            const bool foreseen = predictor.foresees(at, taken);
            simulation.misses += !foreseen;
            timing.jumped(taken, foreseen, predictor.overrides());
        }
        at = taken ? static_cast<std::size_t>(one.target) : at + 1;
    }
    simulation.accesses = timing.accesses(!simulation.ends.empty());
    return simulation;
}

}  // namespace foretell::ooo_core
