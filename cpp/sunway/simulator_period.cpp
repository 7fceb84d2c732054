#include "sunway/simulator_period.hpp"

#include <limits>
#include <numeric>

namespace foretell::swsim {
namespace {

constexpr std::uint64_t longest_pattern = 4096;
// Limit of transactions (some hundredths of a second), after which the average pace of at least `fewest_averaged`
// rounds or loads of the first core is extrapolated.
constexpr std::uint64_t patience = 500'000, fewest_averaged = 16;
constexpr double past = -never;  // an arrival that its core need not wait for

// First round from `from` on with another number of requests than `from`. As long as the number is the same, `issued`
// grows linearly; once it differs it never returns to that line.
std::uint64_t next_change(std::uint64_t count, std::uint64_t rounds, std::uint64_t from, bool before) {
    if (count % rounds == 0) return rounds;
    const std::uint64_t each = share(count, rounds, from, before), start = issued(count, rounds, from, before);
    std::uint64_t same = from + 1, end = rounds;  // [from, same) are equal; [from, end] are not, or end == rounds
    while (same < end) {
        const std::uint64_t middle = same + (end - same + 1) / 2;
        if (issued(count, rounds, middle, before) - start == (middle - from) * each) {
            same = middle;
        } else {
            end = middle - 1;
        }
    }
    return same;
}

std::uint64_t pattern(const Program& program) {
    std::uint64_t rounds = 1;
    const auto add = [&](std::uint64_t count) {
        if (rounds > 0 && program.rounds > 0 && count > 0)
            rounds = std::lcm(rounds, program.rounds / std::gcd(program.rounds, count));
        if (rounds > longest_pattern) rounds = 0;
    };
    add(program.direct_loads);
    for (const Transfer& transfer : program.transfers)
        if (transfer.transactions > 0) add(transfer.count);
    return rounds;
}

std::uint64_t next_change(const Program& program, std::uint64_t round) {
    std::uint64_t change = next_change(program.direct_loads, program.rounds, round, false);
    for (const Transfer& transfer : program.transfers)
        if (transfer.transactions > 0)
            change = std::min(change, next_change(transfer.count, program.rounds, round, !transfer.out));
    return change;
}

}  // namespace

Period::Period(const std::vector<Program>& programs) {
    for (const Program& program : programs) pattern_.push_back(pattern(program));
}

void Period::observe(State& state) {
    ++steps_;
    const bool exact = !kept_.empty() && recurs(state);
    if (exact || (state.served > patience && averages(state))) {
        const std::uint64_t periods = repeats(state, exact);
        if (periods > 0) {
            skip(state, periods, exact);
            kept_.clear();
            steps_ = 0, limit_ = 1;
            return;
        }
    }
    if (steps_ < limit_) return;
    keep(state);
    steps_ = 0, limit_ *= 2;
}

// Whether enough has passed since the saved state to average the pace, and no core began another program.
bool Period::averages(const State& state) const {
    if (kept_.empty()) return false;
    const Core& first = state.cores.front();
    const bool rounds = first.round > counters_.front().round;
    if ((rounds ? first.round - counters_.front().round : steps_) < fewest_averaged) return false;
    for (std::size_t k = 0; k < state.cores.size(); ++k) {
        const Core& core = state.cores[k];
        if (core.part != counters_[k].part || core.phase == Phase::drain) return false;
        if (core.phase != Phase::finished && (core.round > counters_[k].round) != rounds) return false;
    }
    return true;
}

// State that determines all further events, relative to the time of the last event, without the counters.
template <typename Visit>
bool Period::visit(const State& state, Visit&& visit) {
    const double time = state.time;
    const auto number = [&](auto value) { return visit(static_cast<double>(value)); };
    const auto age = [&](std::uint64_t rank) { return number(state.age - (rank & ~behind_loads)); };
    const std::size_t controllers = state.controllers.size();
    for (const Core& core : state.cores) {
        if (!number(core.phase)) return false;
        if (core.phase == Phase::finished) continue;
        if (!number(core.part) || !number(core.waits_for) || !visit(core.now - time)) return false;
        for (const double arrival : core.arrival)
            if (!visit(arrival > core.now ? arrival - time : past)) return false;
        if (!number(core.transfer) || !visit(core.piece) || !number(core.prefetched) || !number(core.second) ||
            !number(core.address % controllers))
            return false;
    }
    for (const Controller& controller : state.controllers) {
        if (!visit(std::max(0.0, controller.free - time)) || !number(controller.queue.size())) return false;
        for (std::size_t k = 0; k < controller.queue.size(); ++k) {
            const Waiting& waiting = controller.queue[k];
            const Request& request = state.requests[waiting.request];
            if (!age(waiting.rank) || !visit(std::max(0.0, waiting.ready - time)) || !number(request.left) ||
                !number(request.core) || !number(request.slot) || !number(request.next % controllers))
                return false;
        }
    }
    if (!number(state.arrivals.size())) return false;
    std::vector<Arrival> arrivals = state.arrivals;  // a heap, whose layout does not matter
    std::sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
    for (const Arrival& arrival : arrivals)
        if (!visit(arrival.time - time) || !number(state.order - arrival.order) || !number(arrival.transactions) ||
            !number(arrival.core) || !number(arrival.slot))
            return false;
    return true;
}

void Period::keep(const State& state) {
    kept_.clear();
    visit(state, [&](double value) {
        kept_.push_back(value);
        return true;
    });
    counters_.clear();
    for (const Core& core : state.cores)
        counters_.push_back({core.part, core.round, core.loads_left, core.compute, core.transfer_wait, core.load_wait});
    time_ = state.time;
    served_ = state.served;
}

bool Period::recurs(const State& state) const {
    std::size_t index = 0;
    return visit(state, [&](double value) { return index < kept_.size() && kept_[index++] == value; }) &&
           index == kept_.size();
}

// Maximum repetitions of the period since the saved state: until a counter of some core nears its end.
std::uint64_t Period::repeats(const State& state, bool exact) const {
    std::uint64_t periods = std::numeric_limits<std::uint64_t>::max();
    bool progress = false;
    for (std::size_t k = 0; k < state.cores.size(); ++k) {
        const Core& core = state.cores[k];
        if (core.phase == Phase::finished || core.phase == Phase::drain) continue;
        const std::size_t number = (*core.sequence)[core.part];
        const std::uint64_t rounds = advance(state, k, exact);
        progress = progress || rounds > 0 || core.loads_left != counters_[k].loads_left;
        periods = std::min(periods, rounds > 0 ? repeats_of_rounds((*state.programs)[number], core, k, rounds, number)
                                               : repeats_of_loads(core, counters_[k]));
        if (exact && rounds > 0 && core.loads_left != counters_[k].loads_left) return 0;
    }
    return progress ? periods : 0;
}

// Rounds of a core in a period: its own, or on average those of the first core.
std::uint64_t Period::advance(const State& state, std::size_t k, bool exact) const {
    const std::size_t core = exact ? k : 0;
    return state.cores[core].round - counters_[core].round;
}

std::uint64_t Period::repeats_of_loads(const Core& core, const Counters& before) {
    if (core.loads_left == before.loads_left) return std::numeric_limits<std::uint64_t>::max();
    if (core.loads_left > before.loads_left || core.loads_left == 0) return 0;
    return (core.loads_left - 1) / (before.loads_left - core.loads_left);
}

// Rounds are equal if they have the same number of requests, or after whole patterns; the data of the next round may be
// requested before this one ends.
std::uint64_t Period::repeats_of_rounds(const Program& program, const Core& core, std::size_t k, std::uint64_t rounds,
                                        std::size_t number) const {
    const std::uint64_t reached = core.round + 2;
    if (pattern_[number] > 0 && rounds % pattern_[number] == 0)
        return program.rounds > reached ? (program.rounds - reached) / rounds : 0;
    const std::uint64_t change = next_change(program, counters_[k].round);
    return change > reached ? (change - reached) / rounds : 0;
}

// Times are unchanged: the time skipped is added at the end.
void Period::skip(State& state, std::uint64_t periods, bool exact) const {
    const auto times = static_cast<double>(periods);
    state.exact = state.exact && exact;
    state.skipped += times * (state.time - time_);
    state.skipped_served += periods * (state.served - served_);
    for (std::size_t k = 0; k < state.cores.size(); ++k) {
        Core& core = state.cores[k];
        const Counters& before = counters_[k];
        if (core.phase == Phase::finished || core.phase == Phase::drain) continue;
        core.compute += times * (core.compute - before.compute);
        core.transfer_wait += times * (core.transfer_wait - before.transfer_wait);
        core.load_wait += times * (core.load_wait - before.load_wait);
        const std::uint64_t rounds = advance(state, k, exact);
        if (rounds == 0) core.loads_left -= periods * (before.loads_left - core.loads_left);
        if (k > 0) core.round += periods * rounds;
    }
    state.cores[0].round += periods * (state.cores[0].round - counters_[0].round);
}

}  // namespace foretell::swsim
