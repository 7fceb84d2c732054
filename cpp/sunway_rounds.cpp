#include "sunway_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simd.hpp"

namespace foretell::sunway {
namespace {

using Size = std::size_t;
constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();  // younger than every request
constexpr Size settling = 32;       // rounds that are followed before an average pace is taken for as many others
constexpr double same_pace = 1e-4;  // of two averages that are taken for one
// So much is followed that a prediction takes less than a thousandth of a second: a request is twice the effort of a load.
constexpr Size patience = 10000;            // before the average of fewer rounds is taken
constexpr Size fewest = 8;                  // rounds of such an average
constexpr Size most_loads = 12000;          // before the rest is left
constexpr Size of_load = 1, of_request = 2;

// Of numbers that fit into 64 bits; std::ceil and std::round are calls where the instruction set is not known.
FORETELL_INLINE double ceiling(double x) {
    const auto cut = static_cast<double>(static_cast<std::int64_t>(x));
    return cut < x ? cut + 1 : cut;
}

FORETELL_INLINE double nearest(double x) { return ceiling(x - 0.5); }

}  // namespace

// What is part of the loop over requests is inlined: it takes a sixth of the time less.

Recurrence::Progress Recurrence::follow(const Controller& memory, const Dealt& work, bool two_buffers) {
    if (work.most.rounds > most_rounds) return shortened(memory, work, two_buffers);
    prepare(memory, work, two_buffers);
    for (std::uint32_t k = 0; k < cores_.size(); ++k) {
        if (two_ && cores_[k].phase == Phase::bring) {
            ask(k, all_due(cores_[k], 0, false), data);
            cores_[k].phase = Phase::wait_in;
        }
        advance(k);
    }
    if (!serve()) return progress();
    double end = 0;
    for (const Core& core : cores_) end = std::max(end, core.now);
    return {end + skipped_, 1};
}

// Rounds that all cores have and those of the longer ones, each weighted by what it takes. A core that is ahead of memory
// has done its rounds when it says so.
Recurrence::Progress Recurrence::progress() const {
    const double now = std::max(time_, loads_.empty() ? 0.0 : loads_.time());
    const auto number = static_cast<double>(cores_.size());
    double cycles = 0, of_all = 0, of_longer = 0;
    for (const Core& core : cores_) {
        const double did = core.round + (core.loads > 0 ? 1 - core.loads / loads_due(core) : 0.0);
        cycles += (std::max(core.now, now) + skipped_) / number;
        of_all += std::min(did, full_) / number;
        of_longer += std::max(0.0, did - full_);
    }
    const auto longer = static_cast<double>(std::max<Size>(1, longer_));
    const double with_all = at_least(number), with_longer = at_least(longer);
    const double did = of_all * with_all + of_longer / longer * with_longer;
    return {cycles, did / (full_ * with_all + (all_ - full_) * with_longer)};
}

// Cycles of a round of so many cores: of each by itself, or of memory that never rests.
double Recurrence::at_least(double cores) const {
    const Run& run = runs_[most];
    double transactions = run.loads, alone = run.compute + run.loads * memory_.latency;
    for (const auto& [moved, step, out] : run.spreads) {
        transactions += step * moved;
        alone += step * (memory_.latency + (moved - 1) * gap_);
    }
    return std::max(alone, cores * transactions * memory_.service);
}

FORETELL_INLINE const Recurrence::Run& Recurrence::run_of(const Core& core, double round) const {
    return runs_[round < core.alike ? core.run : static_cast<std::uint8_t>(shorter)];
}

// Transactions of a shape that a round has. Of those before the computation the first is in the first round, of those
// after it the last in the last.
FORETELL_INLINE double Recurrence::due(const Core& core, Size number, double round) const {
    const Spread& spread = run_of(core, round).spreads[number];
    if (spread.step >= 1 - whole) return spread.transactions;
    const double from = (round < core.alike ? round : round - core.alike) * spread.step, to = from + spread.step;
    const double times = spread.out ? std::floor(to + whole) - std::floor(from + whole)
                                    : std::ceil(to - whole) - std::ceil(from - whole);
    return times * spread.transactions;
}

double Recurrence::all_due(const Core& core, double round, bool out) const {
    const std::vector<Spread>& spreads = run_of(core, round).spreads;
    double moved = 0;
    for (Size k = 0; k < spreads.size(); ++k)
        if (spreads[k].out == out) moved += due(core, k, round);
    return moved;
}

// ---------------------------------------------------------------------------------------------------- memory

// Requests in the order they were made, as many at a time as there are places. While some are free, a request starts a
// transaction every `gap_` cycles; when all are taken, they take turns and memory never rests. Direct loads go first.
// False when these were too many.
bool Recurrence::serve() {
    while (loads_followed_ < most_loads) {
        const Size first = ends_first();
        const double end = served_.empty() ? never : served_[first].last + (crowded_ ? turn_ : 0.0);
        const double next = crowded_ ? never : std::max({oldest(), time_, idle_});
        const double direct = loads_.time();
        if (direct <= next && direct <= end) {
            if (direct == never) return true;
            load(direct);
            continue;
        }
        effort_ += of_request;
        if (next <= end) {
            admit(next);
        } else if (crowded_) {
            hand_over(first);
        } else {
            complete(first);
        }
    }
    return false;
}

FORETELL_INLINE Size Recurrence::ends_first() const {
    Size first = 0;
    double least = served_.empty() ? never : served_.front().last;
    for (Size k = 1; k < served_.size(); ++k) {  // without a branch: none would be foreseen
        const double last = served_[k].last;
        first = last < least ? k : first;
        least = last < least ? last : least;
    }
    return first;
}

// When the oldest request that waits was made.
FORETELL_INLINE double Recurrence::oldest() const { return std::min(waiting_in_.time(), waiting_out_.time()); }

FORETELL_INLINE Recurrence::Request Recurrence::take() {
    const double sooner = waiting_out_.time() - waiting_in_.time();
    const bool at_once = std::abs(sooner) <= near;
    const bool in = at_once ? waiting_in_.front().order < waiting_out_.front().order : sooner > 0;
    return in ? waiting_in_.pop() : waiting_out_.pop();
}

// The first transaction of a place from `time` on.
FORETELL_INLINE void Recurrence::roll(Place& place, double time, double cycle) {
    if (place.next < time) place.next += cycle;
    if (place.next < time) place.next += ceiling((time - place.next) / cycle) * cycle;
}

// A request gets a free place. Transactions of older ones that are due go first; a load may come before they do.
FORETELL_INLINE void Recurrence::admit(double time) {
    time_ = time;
    loads_alike_ = 0;
    look_ahead(time);
    double start = std::max(time, idle_);
    Size before = 0;
    for (; before < served_.size() && served_[before].next <= start + near; ++before)
        start = std::max(start, served_[before].next + memory_.service);
    if (start > time + near && loads_.time() < start) {
        time_ = start;
        return;
    }
    for (Size k = 0; k < before; ++k) served_[k].next += gap_;
    idle_ = start;
    put_off(before, start + memory_.service);
    const Request request = take();
    served_.push_back({start, start + (request.transactions - 1) * gap_, age_++, request.core, request.slot});
    let_go();
    if (served_.size() == places_) change_pace(gap_, turn_);
}

// Places by their next transaction, the one that is being served included.
FORETELL_INLINE void Recurrence::look_ahead(double time) {
    for (Place& place : served_) roll(place, time - memory_.service + near, gap_);
    by_next();
}

FORETELL_INLINE void Recurrence::by_next() {
    for (Size k = 1; k < served_.size(); ++k) {
        const Place place = served_[k];
        Size to = k;
        for (; to > 0 && served_[to - 1].next > place.next; --to) served_[to] = served_[to - 1];
        served_[to] = place;
    }
}

// Transactions that come before `end` wait for it, and so do all that follow them without a pause. `before` places have
// just had one.
FORETELL_INLINE void Recurrence::put_off(Size before, double end) {
    for (Size k = 0, at = before; k < served_.size(); ++k, ++at) {
        if (at == served_.size()) at = 0;
        Place& place = served_[at];
        const double later = end - place.next;
        if (place.next > place.last + near || later <= 0) continue;
        place.next += later, place.last += later, end += memory_.service;
    }
}

// Requests that have had their last transaction.
FORETELL_INLINE void Recurrence::let_go() {
    for (Size k = served_.size(); k-- > 0;)
        if (served_[k].next > served_[k].last + near) complete(k);
}

FORETELL_INLINE void Recurrence::change_pace(double before, double after) {
    crowded_ = !crowded_;
    for (Place& place : served_) place.last = place.next + nearest((place.last - place.next) / before) * after;
}

// A request is done and the oldest that waits follows at its turn.
FORETELL_INLINE void Recurrence::hand_over(Size number) {
    const Place place = served_[number];
    time_ = place.last + turn_;
    loads_alike_ = 0;
    done(place.core, place.slot, place.last + memory_.latency);
    if (oldest() <= time_) {
        const Request request = take();
        served_[number] = {time_, time_ + (request.transactions - 1) * turn_, age_++, request.core, request.slot};
        return;
    }
    served_[number] = served_.back();
    served_.pop_back();
    idle_ = std::max(idle_, place.last + memory_.service);
    for (Place& other : served_) roll(other, place.last + memory_.service / 2, turn_);
    change_pace(turn_, gap_);
    let_go();
}

FORETELL_INLINE void Recurrence::complete(Size number) {
    const Place place = served_[number];
    served_[number] = served_.back();
    served_.pop_back();
    time_ = std::max(time_, place.last);
    loads_alike_ = 0;
    idle_ = std::max(idle_, place.last + memory_.service);
    done(place.core, place.slot, place.last + memory_.latency);
}

FORETELL_INLINE void Recurrence::done(std::uint32_t number, Slot slot, double time) {
    if (slot == slots) return;
    Core& core = cores_[number];
    core.arrival[slot] = time;
    if (core.waits != slot) return;
    core.waits = slots;
    advance(number);
}

// A direct load waits for the transaction that is being served and for loads before it.
FORETELL_INLINE void Recurrence::load(double time) {
    effort_ += of_load, ++loads_followed_;
    const std::uint32_t number = loads_.pop().core;
    const double start = std::max(crowded_ ? turn_end(time) : transaction_end(time), idle_);
    idle_ = start + memory_.service;
    if (crowded_) {
        take_turn(start);
    } else {
        catch_up(idle_);
        let_go();
    }
    Core& core = cores_[number];
    compare_loads(core, time);
    if (core.loads > 1) {  // and the next one, as in `step`
        core.loads -= 1;
        core.now = start + memory_.latency + core.piece;
        loads_.insert({core.now, 1, order_++, number, direct});
    } else {
        done(number, direct, start + memory_.latency);
    }
    pass_loads(time);
}

// When memory that never rests has served a transaction.
FORETELL_INLINE double Recurrence::turn_end(double time) const {
    const double phase = served_.front().next;
    return phase + ceiling((time - phase) / memory_.service - near) * memory_.service;
}

// When the transaction is served that was started before, if there is one.
FORETELL_INLINE double Recurrence::transaction_end(double time) {
    look_ahead(time);
    if (served_.empty() || served_.front().next > time) return time;
    const double end = served_.front().next + memory_.service;
    served_.front().next += gap_;
    return end;
}

// After a load, transactions that are due follow without a pause, those of the oldest request first.
FORETELL_INLINE void Recurrence::catch_up(double time) {
    for (Size k = 0; k < served_.size(); ++k, time += memory_.service) {
        Size oldest = served_.size();
        for (Size other = k; other < served_.size(); ++other) {
            const Place& place = served_[other];
            const bool due = place.next <= std::min(time, place.last) + near;
            if (due && (oldest == served_.size() || place.age < served_[oldest].age)) oldest = other;
        }
        if (oldest == served_.size()) return;
        std::swap(served_[k], served_[oldest]);
        served_[k].last += time - served_[k].next;
        served_[k].next = time;
    }
}

// A load takes a turn. Who had it takes the next turn of a younger one, and so on; the youngest comes a turn later.
FORETELL_INLINE void Recurrence::take_turn(double time) {
    for (Size k = 0; k < served_.size(); ++k) {
        roll(served_[k], time - near, turn_);
        const Place place = served_[k];
        if (place.next <= place.last + near || place.slot == slots) continue;
        served_[k] = {place.next, place.next - turn_, nobody, place.core, slots};
        done(place.core, place.slot, place.last + memory_.latency);
    }
    by_next();
    Place* late = &served_.front();
    const double next = late->next + turn_;
    for (Place& place : served_) {
        if (place.age <= late->age) continue;
        late->last += place.next - late->next;
        late->next = place.next;
        late = &place;
    }
    late->last += next - late->next;
    late->next = next;
}

// ---------------------------------------------------------------------------------------------------- cores

FORETELL_INLINE void Recurrence::ask(std::uint32_t number, double transactions, Slot slot) {
    if (transactions <= 0) return;
    Core& core = cores_[number];
    core.arrival[slot] = never;
    Queue& queue = slot == data ? waiting_in_ : slot == direct ? loads_ : waiting_out_;
    queue.insert({core.now, transactions, order_++, number, slot});
}

// False when it is not known yet when the request of this slot is done.
FORETELL_INLINE bool Recurrence::wait(Core& core, Slot slot) const {
    if (core.arrival[slot] == never) {
        core.waits = slot;
        return false;
    }
    core.now = std::max(core.now, core.arrival[slot]);
    return true;
}

void Recurrence::advance(std::uint32_t number) {
    while (step(number, cores_[number])) {
    }
}

// What a core does next; false when it has to wait.
bool Recurrence::step(std::uint32_t number, Core& core) {
    switch (core.phase) {
        case Phase::bring:  // one buffer: one request after another
            if (ask_one(number, false)) {
                core.phase = Phase::wait_in;
                core.waits = data;
                return false;
            }
            core.there = core.now;
            begin(core);
            return true;
        case Phase::wait_in:
            if (!wait(core, data)) return false;
            core.phase = Phase::bring;
            if (!two_) return true;
            if (!wait(core, core.buffer)) {  // it is still on its way out
                core.phase = Phase::wait_in;
                return false;
            }
            core.there = std::max(core.arrival[data], core.arrival[core.buffer]);
            if (core.round + 1 < core.rounds) ask(number, all_due(core, core.round + 1, false), data);
            begin(core);
            return true;
        case Phase::load:
            core.phase = core.loads > 0 ? Phase::loaded : Phase::send;
            if (core.loads > 0) ask(number, 1, direct);
            return true;
        case Phase::loaded:
            if (!wait(core, direct)) return false;
            core.loads -= 1;
            core.now += core.piece;
            core.phase = Phase::load;
            return true;
        case Phase::send:
            if (!two_) {
                core.phase = Phase::wait_out;
                if (ask_one(number, true)) {
                    core.waits = sent;
                    return false;
                }
            } else if (const double moved = all_due(core, core.round, true); moved > 0) {
                ask(number, moved, core.buffer);
                core.buffer = core.buffer == sent ? sent_other : sent;
            }
            finish_round(core);
            return true;
        case Phase::wait_out:
            if (!wait(core, sent)) return false;
            core.phase = Phase::send;
            return true;
        case Phase::drain:
            if (!wait(core, sent) || !wait(core, sent_other)) return false;
            core.phase = Phase::done;
            ++finished_;
            return false;
        case Phase::done:
            return false;
    }
    return false;
}

// The next request of a round; false when none is left.
FORETELL_INLINE bool Recurrence::ask_one(std::uint32_t number, bool out) {
    Core& core = cores_[number];
    const std::vector<Spread>& spreads = run_of(core, core.round).spreads;
    while (core.shape < spreads.size()) {
        const Size shape = core.shape++;
        if (spreads[shape].out != out) continue;
        const double moved = due(core, shape, core.round);
        if (moved <= 0) continue;
        ask(number, moved, out ? sent : data);
        return true;
    }
    return false;
}

FORETELL_INLINE void Recurrence::finish_round(Core& core) const {
    core.shape = 0;
    core.round += 1;
    core.phase = core.round >= core.rounds ? Phase::drain : two_ ? Phase::wait_in : Phase::bring;
}

FORETELL_INLINE double Recurrence::loads_due(const Core& core) const {
    const double each = run_of(core, core.round).loads;
    const double round = core.round < core.alike ? core.round : core.round - core.alike;
    return std::floor((round + 1) * each + whole) - std::floor(round * each + whole);
}

// A core has its data and computes, after each direct load a part of it.
FORETELL_INLINE void Recurrence::compute(Core& core) const {
    const Run& run = run_of(core, core.round);
    if (run.loads > 0) {
        core.loads = loads_due(core);
        core.piece = core.loads > 0 ? run.compute / core.loads : 0.0;
        core.asked = -never;
    }
    if (core.loads == 0) core.now += run.compute;
    core.phase = core.loads > 0 ? Phase::load : Phase::send;
}

FORETELL_INLINE void Recurrence::begin(Core& core) {
    core.shape = 0;
    const double began = core.now + skipped_, there = core.there + skipped_;
    compute(core);
    lead_ = std::max(lead_, core.round);
    if (stretch_ < full_ && core.round >= full_) {  // from here on with fewer cores
        restart(full_);
        mark_ = {};
    }
    const double pace = began - std::exchange(core.began, began);
    const double there_pace = there - std::exchange(core.was_there, there);
    if (core.round < stretch_) return;
    const Size k = static_cast<Size>(core.round - stretch_);
    if (k >= rounds_.size()) rounds_.resize(k + 1);
    if (k > 0) compare(pace, there_pace);
    Round& round = rounds_[k];
    round.began += began, round.there += there;
    if (++round.cores == cores_in(core.round)) skip(k);
}

// ---------------------------------------------------------------------------------------------------- what repeats

// How many loads in turn came as long after the load of their core before.
FORETELL_INLINE void Recurrence::compare_loads(Core& core, double time) {
    const double pace = time - std::exchange(core.asked, time);
    loads_alike_ = std::abs(pace - load_pace_) < near ? loads_alike_ + 1 : 0;
    load_pace_ = pace;
}

// When all loading cores took as long for two loads, and transfers have no part of memory, they will for the next ones.
FORETELL_INLINE void Recurrence::pass_loads(double time) {
    if (loads_alike_ < 2 * loads_.size() || std::max(waiting_in_.newest(), waiting_out_.newest()) > time) return;
    if (!served_.empty() && load_pace_ > static_cast<double>(loads_.size()) * memory_.service + near) return;
    double passed = never;
    for (const Core& core : cores_)
        if (core.phase == Phase::loaded) passed = std::min(passed, core.loads - 2);
    if (passed < 1 || passed == never) return;
    for (Core& core : cores_)
        if (core.phase == Phase::loaded) core.loads -= passed;
    skipped_ += passed * load_pace_;
    loads_alike_ = 0;
}

void Recurrence::restart(double round) {
    stretch_ = round;
    rounds_.clear();
    repeats_ = 0;
}

// How many cores in turn began as long after their round before as the one before them.
void Recurrence::compare(double pace, double there_pace) {
    const double alike = std::max(1e-3, 1e-4 * pace_);
    if (std::abs(pace - pace_) < alike && std::abs(there_pace - there_pace_) < alike) {
        ++repeats_;
    } else {
        pace_ = pace, there_pace_ = there_pace, repeats_ = 1;
    }
}

// All cores have begun the k-th round of this stretch. If it took them all as long as the round before, so will the
// next ones, until a round is unlike: those are passed over. Rounds that do not settle have their average pace, that of
// fewer of them when patience ends.
void Recurrence::skip(Size k) {
    const Size here = rounds_[k].cores;
    const double round = stretch_ + static_cast<double>(k), began = rounds_[k].began / static_cast<double>(here);
    const bool settled = repeats_ >= 2 * here;
    if (mark_.round == never && k >= settling) mark_ = {round, began};
    const double since = round - mark_.round;
    const bool whole_periods = since >= settling && std::fmod(since, period_) == 0;
    const bool impatient = effort_ > patience && k >= fewest && period_ == 1;
    if (!settled && !whole_periods && !impatient && !steady(k)) return;
    if (lead_ >= full_ && finished_ + cores_in(lead_) < cores_.size()) return;  // others still do rounds before
    const Size before = settled ? k - 2 : k / 2;
    const double sum = static_cast<double>((k - before) * here);
    const double later = rounds_[k].there - rounds_[before].there - rounds_[k].began + rounds_[before].began;
    const double drift = k > before ? later / sum : 0.0;
    double pace = (rounds_[k].began - rounds_[before].began) / sum;
    const bool alike = next_change(stretch_ + static_cast<double>(before), false) > round;
    double left = alike ? next_change(round, false) - lead_ - 2 : 0.0;
    // Data that comes later and later, but still before it is needed, does so until it is needed.
    if (drift > 1e-3) left = std::min(left, std::floor(slack() / drift) - 1);
    const double periods = whole_periods ? std::floor((next_change(round, true) - lead_ - 2) / period_) * period_ : 0.0;
    if (periods > left) {
        left = periods;
        pace = (began - mark_.time) / since;
    }
    if (left < (settled || impatient || periods >= left ? 1 : static_cast<double>(settling))) return;
    const double behind = drift > 0 ? std::min(drift * left, slack()) : 0.0;
    time_ += behind, idle_ += behind;
    for (Place& place : served_) place.next += behind, place.last += behind;
    for (Core& core : cores_) {
        core.round += left;
        for (double& arrival : core.arrival)
            if (arrival + skipped_ > core.began && arrival != never) arrival += behind;
    }
    skipped_ += left * pace;
    lead_ += left;
    restart(lead_ + 1);  // which no core has begun
}

// Whether rounds have an average pace: that of the last quarter is that of the one before, or there were many.
bool Recurrence::steady(Size k) const {
    if (k < settling / 2 || k >= settling) return k >= settling;
    const Size quarter = k / 4;
    const double last = rounds_[k].began - rounds_[k - quarter].began;
    const double before = rounds_[k - quarter].began - rounds_[k - 2 * quarter].began;
    return std::abs(last - before) <= same_pace * last;
}

Size Recurrence::cores_in(double round) const {
    if (round < full_) return cores_.size();
    return (round < runs_[most].rounds ? longer_ : 0) + (round < shorter_end_ ? 1 : 0);
}

// The first round from this one on that is not like the others: one with a request that not every round has (unless
// those are also passed over), the first that only some cores have, or one beyond the last.
double Recurrence::next_change(double round, bool over_requests) const {
    double change = all_;
    for (const double end : {full_, runs_[most].rounds, shorter_end_})
        if (end > round) change = std::min(change, end);
    if (over_requests) return change;
    for (const auto& [transactions, step, out] : runs_[most].spreads) {
        if (step >= 1 - whole || step <= 0) continue;
        const double next = out
                                ? std::ceil((std::floor(round * step + whole) + 1) / step - whole) - 1
                                : std::floor(std::ceil(round * step - whole) / step + whole);
        change = std::min(change, next);
    }
    return change;
}

// How long the data of every core has been there before it is needed.
double Recurrence::slack() const {
    double least = never;
    for (const Core& core : cores_)
        if (core.phase != Phase::done) least = std::min(least, core.began - core.was_there);
    return least;
}

}  // namespace foretell::sunway
