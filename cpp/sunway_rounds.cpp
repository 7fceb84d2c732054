#include "sunway_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simd.hpp"

namespace foretell::sunway {
namespace {

using Size = std::size_t;
constexpr double whole = 1e-6;       // numbers of rounds and requests are whole but for rounding
constexpr double near = 1e-6;        // cycles that are none
constexpr double most_rounds = 1e6;  // beyond them, twice as many take twice as long
constexpr double most_cores = 128;   // beyond them, one stands for several
constexpr Size settling = 16;        // rounds that are followed before an average pace is taken for as many others
constexpr Size enough = 60;          // rounds after which also unlike rounds are passed over

// Requests of one shape in a round, which has no more than one.
double each(double count, double rounds) { return rounds > 0 ? std::min(1.0, count / rounds) : 0.0; }

}  // namespace

// What is part of the loop over requests is inlined: it takes a sixth of the time less.

// ---------------------------------------------------------------------------------------------------- requests

FORETELL_INLINE void Recurrence::Queue::pop() {
    if (++first_ == items_.size()) clear();
}

FORETELL_INLINE void Recurrence::Queue::insert(const Request& request) {
    if (first_ > 256) {
        items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    items_.push_back(request);
    Request* place = end() - 1;
    for (; place > begin() && (place - 1)->time > request.time; --place) *place = *(place - 1);
    *place = request;
}

// ---------------------------------------------------------------------------------------------------- the kernel

double Recurrence::cycles(const Controller& memory, const Dealt& work, bool two_buffers) {
    if (work.rounds > most_rounds) {
        const double scale = work.rounds / most_rounds;
        Dealt less = work;
        less.rounds = most_rounds, less.last /= scale, less.compute /= scale;
        for (Shape& shape : less.shapes) shape.count /= scale;
        return cycles(memory, less, two_buffers) * scale;
    }
    prepare(memory, work, two_buffers);
    for (std::uint32_t k = 0; k < cores_.size(); ++k) {
        if (two_ && cores_[k].phase == Phase::bring) {
            ask(k, all_due(cores_[k], 0, false), data);
            cores_[k].phase = Phase::wait_in;
        }
        advance(k);
    }
    serve();
    double end = 0;
    for (const Core& core : cores_) end = std::max(end, core.now);
    return end + skipped_;
}

void Recurrence::prepare(const Controller& memory, const Dealt& work, bool two_buffers) {
    work_ = &work;
    two_ = two_buffers;
    const double number = std::clamp(std::ceil(work.cores - whole), 1.0, most_cores), grain = work.cores / number;
    memory_ = memory;
    memory_.service *= grain;
    gap_ = std::max({memory_.delay, memory_.service, 1e-9});
    places_ = static_cast<Size>(std::min(std::ceil(gap_ / memory_.service - 1e-9), 4.0 * most_cores));
    turn_ = static_cast<double>(places_) * memory_.service;
    spread();
    deal(static_cast<Size>(number), work.longer / grain);
    waiting_in_.clear(), waiting_out_.clear(), served_.clear();
    crowded_ = false;
    time_ = idle_ = lead_ = skipped_ = 0;
    computing_ = followed_ = finished_ = 0;
    mark_ = before_ = {};
    restart(0);
}

// How requests are spread over the rounds.
void Recurrence::spread() {
    full_ = std::round(work_->rounds - work_->last);
    all_ = full_ + std::ceil(work_->last - whole);
    compute_ = work_->compute / work_->rounds;
    spreads_.clear();
    for (const Shape& shape : work_->shapes) {
        const double in_last = shape.count * work_->last / work_->rounds;
        // What is asked for less often than there are chunks is asked for by all, and again for a shorter chunk.
        const bool by_chunk = in_last >= 1 - whole;
        spreads_.push_back({each(shape.count, work_->rounds),
                            each(by_chunk ? shape.count - in_last : shape.count, full_),
                            each(std::max(in_last, std::min(1.0, shape.count)), work_->last), by_chunk});
    }
}

// The first cores have the last chunk, or a part of it.
void Recurrence::deal(Size number, double longer) {
    longer_ = std::min(number, static_cast<Size>(std::max(0.0, std::ceil(longer - whole))));
    cores_.assign(number, Core{});
    for (Size k = 0; k < number; ++k) {
        Core& core = cores_[k];
        core.share = std::clamp(longer - static_cast<double>(k), 0.0, 1.0) * work_->last / (all_ - full_);
        core.rounds = k < longer_ ? all_ : full_;
        core.shorter = core.share < 1 - whole;
        if (core.rounds == 0) core.phase = Phase::drain;
    }
}

// Transactions of a shape that a round has. Of those before the computation the first is in the first round, of those
// after it the last in the last.
FORETELL_INLINE double Recurrence::due(const Core& core, Size number, double round) const {
    const Shape& shape = work_->shapes[number];
    const Spread& spread = spreads_[number];
    const bool shorter = core.shorter && round >= full_;
    const double step = shorter ? spread.shorter : core.shorter ? spread.fewer : spread.all;
    double times = 1;
    if (step < 1 - whole) {
        const double from = (shorter ? round - full_ : round) * step, to = from + step;
        times = shape.out ? std::floor(to + whole) - std::floor(from + whole)
                          : std::ceil(to - whole) - std::ceil(from - whole);
    }
    const double moved = times * shape.transactions * std::min(1.0, shape.count);
    return shorter && spread.by_chunk && moved > 0 ? std::max(1.0, moved * core.share) : moved;
}

double Recurrence::all_due(const Core& core, double round, bool out) const {
    double moved = 0;
    for (Size k = 0; k < work_->shapes.size(); ++k)
        if (work_->shapes[k].out == out) moved += due(core, k, round);
    return moved;
}

// ---------------------------------------------------------------------------------------------------- memory

// Requests in the order they were made, as many at a time as there are places. While some are free, a request starts a
// transaction every `gap_` cycles; when all are taken, they take turns and memory never rests.
void Recurrence::serve() {
    for (;;) {
        const Size first = ends_first();
        const double end = served_.empty() ? never : served_[first].last + (crowded_ ? turn_ : 0.0);
        const double next = crowded_ ? never : std::max(oldest(), time_);
        if (next == never && end == never) return;
        if (next <= end) {
            admit(next);
        } else if (crowded_) {
            hand_over(first);
        } else {
            complete(first);
        }
    }
}

FORETELL_INLINE Size Recurrence::ends_first() const {
    Size first = 0;
    for (Size k = 1; k < served_.size(); ++k)
        if (served_[k].last < served_[first].last) first = k;
    return first;
}

// When the oldest request that waits was made.
FORETELL_INLINE double Recurrence::oldest() const {
    const double in = waiting_in_.empty() ? never : waiting_in_.front().time;
    return waiting_out_.empty() ? in : std::min(in, waiting_out_.front().time);
}

FORETELL_INLINE Recurrence::Request Recurrence::take() {
    const bool in = waiting_out_.empty() ||
                    (!waiting_in_.empty() && waiting_in_.front().time < waiting_out_.front().time);
    Queue& queue = in ? waiting_in_ : waiting_out_;
    const Request request = queue.front();
    queue.pop();
    return request;
}

// The first transaction of a place from `time` on.
FORETELL_INLINE void Recurrence::roll(Place& place, double time, double cycle) {
    if (place.next < time) place.next += std::ceil((time - place.next) / cycle) * cycle;
}

// A request gets a free place.
FORETELL_INLINE void Recurrence::admit(double time) {
    const Request request = take();
    time_ = time;
    const double start = make_room(time);
    served_.push_back({start, start + (request.transactions - 1) * gap_, request.core, request.slot});
    for (Size k = served_.size(); k-- > 0;)
        if (served_[k].next > served_[k].last + near) complete(k);
    if (served_.size() == places_) change_pace(gap_, turn_);
}

// When the first transaction of a new request starts. Those of older ones go first; those that come while it is served
// wait for its end, and so do all that follow them without a pause.
FORETELL_INLINE double Recurrence::make_room(double time) {
    for (Place& place : served_) roll(place, time - memory_.service + near, gap_);
    std::sort(served_.begin(), served_.end(), [](const Place& a, const Place& b) { return a.next < b.next; });
    double start = std::max(time, idle_);
    Size before = 0;
    for (; before < served_.size() && served_[before].next <= start + near; ++before) {
        start = std::max(start, served_[before].next + memory_.service);
        served_[before].next += gap_;
    }
    idle_ = start;
    double end = start + memory_.service;
    for (Size k = 0; k < served_.size(); ++k) {
        Place& place = served_[(before + k) % served_.size()];
        if (place.next > place.last + near) continue;  // it has had its last
        const double later = end - place.next;
        if (later <= 0) continue;
        place.next += later, place.last += later, end += memory_.service;
    }
    return start;
}

FORETELL_INLINE void Recurrence::change_pace(double before, double after) {
    crowded_ = !crowded_;
    for (Place& place : served_) place.last = place.next + std::round((place.last - place.next) / before) * after;
}

// A request is done and the oldest that waits follows at its turn.
FORETELL_INLINE void Recurrence::hand_over(Size number) {
    const double last = served_[number].last;
    time_ = last + turn_;
    done(served_[number]);
    if (oldest() <= time_) {
        const Request request = take();
        served_[number] = {time_, time_ + (request.transactions - 1) * turn_, request.core, request.slot};
        return;
    }
    served_[number] = served_.back();
    served_.pop_back();
    idle_ = last + memory_.service;
    for (Place& place : served_) roll(place, last + memory_.service / 2, turn_);
    change_pace(turn_, gap_);
}

FORETELL_INLINE void Recurrence::complete(Size number) {
    const Place place = served_[number];
    served_[number] = served_.back();
    served_.pop_back();
    time_ = std::max(time_, place.last);
    idle_ = std::max(idle_, place.last + memory_.service);
    done(place);
}

FORETELL_INLINE void Recurrence::done(const Place& place) {
    Core& core = cores_[place.core];
    core.arrival[place.slot] = place.last + memory_.latency;
    if (core.waits != place.slot) return;
    core.waits = slots;
    advance(place.core);
}

// ---------------------------------------------------------------------------------------------------- cores

FORETELL_INLINE void Recurrence::ask(std::uint32_t number, double transactions, Slot slot) {
    if (transactions <= 0) return;
    Core& core = cores_[number];
    core.arrival[slot] = never;
    (slot == data ? waiting_in_ : waiting_out_).insert({core.now, transactions, number, slot});
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
            } else {
                core.there = core.now;
                begin(core);
            }
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
        case Phase::send:
            if (!two_) {
                core.phase = Phase::wait_out;
                if (ask_one(number, true)) return true;
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
    while (core.shape < work_->shapes.size()) {
        const Size shape = core.shape++;
        if (work_->shapes[shape].out != out) continue;
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

// A core has its data and computes.
FORETELL_INLINE void Recurrence::begin(Core& core) {
    core.phase = Phase::send;
    core.shape = 0;
    const double began = core.now, there = core.there;
    if (core.round == 0) slow_down();
    core.now += compute_ * (core.round >= full_ ? core.share : 1.0);
    lead_ = std::max(lead_, core.round);
    if (stretch_ < full_ && core.round >= full_) {  // from here on with fewer cores
        restart(full_);
        mark_ = before_ = {};
    }
    const double pace = began - std::exchange(core.began, began);
    const double there_pace = there - std::exchange(core.was_there, there);
    if (core.round < stretch_) return;
    const Size k = static_cast<Size>(core.round - stretch_);
    if (k >= rounds_.size()) rounds_.resize(k + 1);
    if (k > 0) compare(pace, there_pace);
    Round& round = rounds_[k];
    round.began += began, round.there += there;
    if (++round.cores == (core.round >= full_ ? longer_ : cores_.size())) skip(k);
}

// Direct loads are made by cores that compute: one more has begun to.
void Recurrence::slow_down() {
    const double computing = static_cast<double>(++computing_) / static_cast<double>(cores_.size());
    turn_ = static_cast<double>(places_) * memory_.service / (1 - memory_.loads * computing);
}

// ---------------------------------------------------------------------------------------------------- rounds that repeat

void Recurrence::restart(double round) {
    stretch_ = round;
    rounds_.clear();
    repeats_ = 0;
}

// How many cores in turn began as long after their round before as the one before them.
void Recurrence::compare(double pace, double there_pace) {
    const double alike = std::max(1e-3, 1e-3 * pace_);
    if (std::abs(pace - pace_) < alike && std::abs(there_pace - there_pace_) < alike) {
        ++repeats_;
    } else {
        pace_ = pace, there_pace_ = there_pace, repeats_ = 1;
    }
}

// All cores have begun the k-th round of this stretch. If it took them all as long as the round before, so will the
// next ones, until a round is unlike: those are passed over. Rounds that do not settle have their average pace.
void Recurrence::skip(Size k) {
    const Size here = rounds_[k].cores;
    const double round = stretch_ + static_cast<double>(k), began = rounds_[k].began / static_cast<double>(here);
    if (k == settling) before_ = std::exchange(mark_, {round, began + skipped_});
    const Mark since = k > settling ? mark_ : before_;
    const bool settled = repeats_ >= 2 * here, late = ++followed_ >= enough;
    if (!settled && k < settling) return;
    if (lead_ >= full_ && finished_ + longer_ < cores_.size()) return;  // others still do rounds before
    const Size before = settled ? k - 2 : k / 2;
    const double sum = static_cast<double>((k - before) * here);
    const double drift = (rounds_[k].there - rounds_[before].there - rounds_[k].began + rounds_[before].began) / sum;
    double pace = (rounds_[k].began - rounds_[before].began) / sum;
    double left = next_change(round, false) - lead_ - 2;
    // Data that comes later and later, but still before it is needed, does so until it is needed.
    if (drift > 1e-3 && !late) left = std::min(left, std::floor(slack() / drift) - 1);
    const double period = round - since.round;  // of rounds that are unlike
    const double periods = late ? std::floor((next_change(round, true) - lead_ - 2) / period) : 0.0;
    if (period >= settling && periods * period > left) {
        left = periods * period;
        pace = (began + skipped_ - since.time) / period;
    }
    if (left < (settled ? 1 : static_cast<double>(settling))) return;
    skipped_ += left * pace;
    const double behind = drift > 0 ? std::min(drift * left, slack()) : 0.0;
    time_ += behind, idle_ += behind;
    for (Place& place : served_) place.next += behind, place.last += behind;
    for (Core& core : cores_) {
        core.round += left;
        for (double& arrival : core.arrival)
            if (arrival > core.began && arrival != never) arrival += behind;
    }
    lead_ += left;
    restart(lead_ + 1);  // which no core has begun
}

// The first round from this one on that is not like the others: one with a request that not every round has (unless
// those are also passed over), the first that only some cores have, or one beyond the last.
double Recurrence::next_change(double round, bool over_requests) const {
    double change = round < full_ && longer_ < cores_.size() ? full_ : all_;
    if (over_requests) return change;
    for (Size k = 0; k < spreads_.size(); ++k) {
        const double step = spreads_[k].all;
        if (step >= 1 - whole || step <= 0) continue;
        const double next = work_->shapes[k].out
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
