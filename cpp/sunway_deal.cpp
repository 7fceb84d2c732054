// What the cores do, dealt out before it is followed round by round (sunway_rounds.cpp).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sunway_rounds.hpp"

namespace foretell::sunway {
namespace {

using Size = std::size_t;
constexpr double most_cores = 128;  // beyond them, one stands for several
constexpr double longest = 128;     // rounds after which those repeat that have not all the same requests

}  // namespace

Recurrence::Progress Recurrence::shortened(const Controller& memory, const Dealt& work, bool two_buffers) {
    const double scale = work.most.rounds / most_rounds;
    Dealt less = work;
    less.last /= scale;
    for (Part* part : {&less.most, &less.shorter}) {
        part->rounds /= scale, part->compute /= scale, part->loads /= scale;
        for (Shape& shape : part->shapes) shape.count /= scale;
    }
    const auto [cycles, share] = follow(memory, less, two_buffers);
    return {cycles * scale, share};
}

void Recurrence::prepare(const Controller& memory, const Dealt& work, bool two_buffers) {
    two_ = two_buffers;
    const double number = std::clamp(std::ceil(work.cores - whole), 1.0, most_cores), grain = work.cores / number;
    memory_ = memory;
    memory_.service *= grain;
    gap_ = std::max({memory_.delay, memory_.service, 1e-9});
    places_ = static_cast<Size>(std::min(std::ceil(gap_ / memory_.service - 1e-9), 4.0 * most_cores));
    turn_ = static_cast<double>(places_) * memory_.service;
    plan(runs_[most], work.most, 0);
    plan(runs_[fewer], work.most, work.last);
    plan(runs_[shorter], work.shorter, 0);
    deal(static_cast<Size>(number), work.longer / grain);
    period_ = period(work.most);
    waiting_in_.clear(), waiting_out_.clear(), loads_.clear(), served_.clear();
    crowded_ = false;
    time_ = idle_ = lead_ = skipped_ = 0;
    age_ = order_ = loads_alike_ = finished_ = effort_ = loads_followed_ = 0;
    mark_ = {};
    restart(0);
}

// How requests are spread over the rounds of a part, or over all but the last of them. What is asked for less often than
// there are chunks is asked for by all cores.
void Recurrence::plan(Run& run, const Part& part, double last) {
    run.rounds = std::round(part.rounds - last);
    run.spreads.clear();
    if (part.rounds <= 0) return;
    run.compute = part.compute / part.rounds;
    run.loads = part.loads / part.rounds;
    for (const Shape& shape : part.shapes) {
        const double in_last = shape.count * last / part.rounds;
        const double count = in_last >= 1 - whole ? shape.count - in_last : shape.count;
        const double step = run.rounds > 0 ? std::min(1.0, count / run.rounds) : 0.0;
        run.spreads.push_back({shape.transactions * std::min(1.0, shape.count), step, shape.out});
    }
}

// Rounds after which the same requests are due, or many where it takes more.
double Recurrence::period(const Part& part) {
    double rounds = 1;
    for (const Shape& shape : part.shapes) {
        const auto all = static_cast<std::uint64_t>(part.rounds), own = static_cast<std::uint64_t>(shape.count);
        const bool fits = own > 0 && static_cast<double>(own) == shape.count && rounds <= longest;
        if (!fits) return longest;
        rounds = static_cast<double>(std::lcm(static_cast<std::uint64_t>(rounds), all / std::gcd(all, own)));
    }
    return std::min(rounds, longest);
}

void Recurrence::deal(Size number, double longer) {
    longer_ = std::min(number, static_cast<Size>(std::max(0.0, std::ceil(longer - whole))));
    cores_.assign(number, Core{});
    for (Size k = 0; k < number; ++k) {
        Core& core = cores_[k];
        core.run = k < longer_ ? most : fewer;
        core.alike = core.rounds = runs_[core.run].rounds;
    }
    full_ = cores_.back().rounds;
    Core& other = cores_[longer_ % number];
    other.rounds += runs_[shorter].rounds;
    shorter_end_ = other.rounds;
    all_ = std::max(runs_[most].rounds, shorter_end_);
    for (Core& core : cores_)
        if (core.rounds == 0) core.phase = Phase::drain;
}

}  // namespace foretell::sunway
