#include "incore/whole_call.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "incore/core_timing.hpp"
#include "incore/whole_call_state.hpp"

namespace foretell::ooo_core {

static constexpr const char* kUnknownEnd = "the end of a loop depends on values that are not known";

// Rows that the function of the call reaches itself, without those that it calls; none if it is called again, since
// then a caller goes on after its returns.
std::vector<bool> Call::rows_of_root() const {
    std::vector<bool> found(rows_, false);
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
        const std::size_t row = waiting.back();
        waiting.pop_back();
        if (row >= rows_ || found[row]) continue;
        found[row] = true;
        const Instruction& one = code_.instructions[row];
        if (one.op == Op::kJump || jumps_if(one.op)) waiting.push_back(static_cast<std::size_t>(one.target));
        if (one.op == Op::kJumpTable)
            for (Range entry = table_of(one); entry.from < entry.to; entry.from++)
                waiting.push_back(static_cast<std::size_t>(code_.targets[static_cast<std::size_t>(entry.from)]));
        else if (one.op != Op::kJump && one.op != Op::kReturn) waiting.push_back(row + 1);
    }
    const bool again = std::any_of(code_.instructions.begin(), code_.instructions.end(), [&](const Instruction& one) {
        return one.op == Op::kCall && one.constant < 0 && found[static_cast<std::size_t>(one.target)];
    });
    return again ? std::vector<bool>(rows_, false) : found;
}

// Registers whose values are read after each loop head, by the usual backward iteration.
void Call::find_live() {
    std::vector<Registers> live(rows_ + 1);
    const std::vector<bool> of_root = rows_of_root();  // nobody reads what the call leaves in registers
    const auto reads = [&](const Instruction& one, Registers& set) {
        const auto add = [&](std::int64_t number) {
            if (number >= 0 && number < 256) set.set(static_cast<std::size_t>(number));
        };
        if (one.op == Op::kCall || one.op == Op::kReturn) set.set();
        for (std::int32_t k = one.reads.from; k < one.reads.to; k++) add(code_.registers[static_cast<std::size_t>(k)]);
        const bool clears = (one.op == Op::kXor || one.op == Op::kSub) && one.a == one.b;  // whatever it was before
        for (const std::int16_t number : {one.a, one.b, one.address.base, one.address.index})
            if (!clears || number != one.a) add(number);
    };
    bool changed = true;
    while (changed) {
        changed = false;
        for (std::size_t row = rows_; row-- > 0;) {
            const Instruction& one = code_.instructions[row];
            Registers after;
            if (one.op == Op::kJump || jumps_if(one.op)) after |= live[static_cast<std::size_t>(one.target)];
            if (one.op == Op::kJumpTable)
                for (Range entry = table_of(one); entry.from < entry.to; entry.from++)
                    after |= live[static_cast<std::size_t>(code_.targets[static_cast<std::size_t>(entry.from)])];
            else if (one.op != Op::kJump && one.op != Op::kReturn) after |= live[row + 1];
            if ((one.op != Op::kSelect || one.b != kNowhere) && one.bits >= 32)
                for (std::int32_t k = one.writes.from; k < one.writes.to; k++)
                    if (const auto number = static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)]);
                        number < 256)
                        after.reset(number);
            if (one.op != Op::kReturn || !of_root[row]) reads(one, after);
            if (after != live[row]) live[row] = after, changed = true;
        }
    }
    for (std::size_t loop = 0; loop < loops_.heads.size(); loop++)
        for (std::size_t number = 0; number < 256 && static_cast<std::int64_t>(number) < start_.count; number++)
            if (live[static_cast<std::size_t>(loops_.heads[loop])][number] &&
                static_cast<std::int64_t>(number) != start_.flags)
                live_[loop].push_back(static_cast<std::int16_t>(number));
}

// Whether a loop has no other exit than those that are held: nothing would end it.
bool Call::is_endless(std::size_t exit) const {
    const auto loop = static_cast<std::size_t>(loops_.loop_at[exit]);
    return std::all_of(rows_of_[loop].begin(), rows_of_[loop].end(),
                       [&](std::size_t row) { return row == exit || !leaves_[row] || held_[row]; });
}

// A function of a library: forgets what calls do not preserve; allocations return a new address.
void Call::call_library(std::size_t row, const Instruction& one) {
    if (one.b >= 0 && state_->value(one.b).known)
        arguments_[row] += weight_ * static_cast<double>(state_->value(one.b).bits);
    const Value first = one.a >= 0 ? state_->value(one.a) : Value{};
    state_->forget(one);
    const auto fresh = static_cast<std::uint64_t>(heap_);
    if ((one.constant & (kAllocates | kThroughPointer)) != 0) heap_ += kHeapStep;
    if ((one.constant & kThroughPointer) != 0 && first.known) {
        state_->store_word(first.bits, fresh);
        const auto place = static_cast<std::int64_t>(first.bits);
        least_word_ = std::min(least_word_, place), most_word_ = std::max(most_word_, place);
    }
    if (one.to < 0) return;
    if ((one.constant & kAllocates) != 0) state_->set(one.to, {fresh, true});
    else if ((one.constant & kThroughPointer) != 0) state_->set(one.to, {0, true});
    else state_->set(one.to, first);
}

// A store of a number that is not followed.
void Call::overwrite(const Instruction& one, std::uint64_t place) {
    const auto first = static_cast<std::int64_t>(place);
    if (first > most_word_ || first + one.address.bytes <= least_word_) return;
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(std::max(one.address.bytes, 1)); k += 4)
        state_->forget_word(place + k);
}

// Whether an instruction changes what is at an unknown place of an object: `count[key[i]]++`.
void Call::note_update(std::size_t row, const Instruction& one, std::uint64_t place) {
    if (!state_->is_inside(one.address)) return;
    if (one.loads) loaded_[next_loaded_++ % loaded_.size()] = place;
    if (one.stores && std::find(loaded_.begin(), loaded_.end(), place) != loaded_.end()) updates_[row] = true;
}

CallResult Call::run(bool sampling, bool whole, std::int64_t most, bool repeating) {
    State state(code_, start_, repeating, limits_.chooses);
    state_ = &state, sampling_ = sampling, timing_now_ = whole;
    active_.assign(loops_.heads.size(), {});
    exits_.assign(loops_.heads.size(), 0.0);
    seen_.assign(rows_, {});
    for (auto* list : {&counts_, &cycles_, &timed_, &arguments_, &tries_, &misses_}) list->assign(rows_, 0.0);
    paces_.assign(rows_, {});
    stamp_.assign(rows_, 0);
    open_.assign(rows_, false), held_.assign(rows_, false), updates_.assign(rows_, false);
    loaded_.fill(0);
    draw_ends();
    executed_ = timed_instructions_ = window_ = 0, heap_ = kHeap, weight_ = frame_weight_ = 1, represented_ = 0;
    least_word_ = kEndless, most_word_ = 0;
    for (const auto& [address, value] : start_.memory)
        least_word_ = std::min(least_word_, address), most_word_ = std::max(most_word_, address);
    for (const Series& array : start_.series)
        least_word_ = std::min(least_word_, array.first), most_word_ = std::max(most_word_, array.last);
    if (!lines_ && !limits_.levels.caches.empty()) lines_ = std::make_unique<LineLevels>(limits_.levels);
    steps_.assign(lines_ ? rows_ : 0, {});
    strides_ = limits_.strides ? std::make_unique<AccessStrides>(loops_, rows_) : nullptr;
    Timing timing(code_, core_, start_.count);
    Predictor predictor(core_.history, rows_);
    CallResult result;
    struct Frame {
        std::size_t back;
        double weight;
    };
    std::vector<Frame> frames;
    std::uint64_t chance = 1;
    std::int64_t runs = whole ? limits_.repeats : 0;
    std::size_t at = 0, before = rows_;
    std::int32_t loop_now = -2;
    window_ = whole ? 0 : limits_.window, warm_ = limits_.warm_up;
    while (true) {
        if (at >= rows_) {
            result.failure = "the code runs past its end";
            break;
        }
        if (++executed_ > most) {
            result.failure = "long";
            break;
        }
        const std::int32_t loop = loops_.loop_at[at];
        if (head_at_[at] >= 0) {
            const auto arrived = static_cast<std::size_t>(head_at_[at]);
            arrive(arrived, before < rows_ && is_inside(loops_.loop_at[before], arrived));
            loop_now = -2;
        }
        if (loop != loop_now) weight_ = weight_at(loop), loop_now = loop;
        const Instruction& one = code_.instructions[at];
        if (one.op == Op::kStop) {
            result.failure = "the code calls what has no known time, or jumps through a table";
            break;
        }
        const std::uint64_t place = state.address(one.address);
        counts_[at] += weight_, represented_ += weight_;
        if (strides_ && (one.loads || one.stores) && state.knows(one.address))
            strides_->note(at, place, [&](std::size_t number) {
                return std::pair(active_[number].generation, active_[number].iteration);
            });
        if (loop >= 0 && (one.loads || one.stores)) note_update(at, one, place);
        stamp_[at] = clock_;
        const double late = lines_ && (one.loads || one.stores) ? lateness(at, one, place) : 0.0;
        const bool timed = window_ > 0 || whole;
        if (timed) {
            const double then = timing.end();
            timing.execute(one, place, timing.issue(one), late);
            timed_instructions_++;
            if (warm_ > 0 && !whole) warm_--;
            else cycles_[at] += timing.end() - then, timed_[at] += 1;
            if (window_ > 0 && --window_ == 0) end_window();
        }
        const bool watched = loop >= 0 && (sampling_ || inner_[static_cast<std::size_t>(loop)]);
        if (watched) observe(at, one, place);
        if (is_conditional(one.op)) {
            const Flags flags = state.flags_for(one);
            const bool decided = State::decides(flags, one.condition);
            if (decided && watched && !flags.apart) {
                const bool sums = flags.from == Flags::From::kNumber && one.condition != Condition::kEqual &&
                                  one.condition != Condition::kNotEqual && one.condition != Condition::kNegative &&
                                  one.condition != Condition::kNotNegative && flags.overflow;
                see(at, Seen::Kind::kCondition, flags.a, flags.b, flags.bits, State::holds(flags, one.condition),
                    one.condition, flags.from != Flags::From::kOther && !sums);
            } else if (jumps_if(one.op) && (one.chance == kNever || one.chance == kAlways) && !decided) {
                if (limits_.ends_known && leaves_[at] && !held_[at] && is_endless(at)) {
                    result.failure = kUnknownEnd;
                    break;
                }
                held_[at] = leaves_[at];
            } else if (jumps_if(one.op) && !decided) {
                if (limits_.ends_known && leaves_[at] && one.chance == 0) {
                    result.failure = kUnknownEnd;
                    break;
                }
                open_[at] = true;
                if (loop >= 0)
                    active_[static_cast<std::size_t>(loop)].opened = active_[static_cast<std::size_t>(loop)].iteration;
            }
        }
        std::size_t next = at + 1;
        bool returns = one.op == Op::kReturn;
        if (one.op == Op::kCall) {
            if (loop >= 0)
                active_[static_cast<std::size_t>(loop)].called =
                    one.constant < 0 ? active_[static_cast<std::size_t>(loop)].iteration + 1
                                     : active_[static_cast<std::size_t>(loop)].called;
            if (one.constant < 0) {  // a function of this code
                if (frames.size() > 200) {
                    result.failure = "calls go too deep";
                    break;
                }
                frames.push_back({at, frame_weight_});
                frame_weight_ = weight_, loop_now = -2;
                state.push_return();
                next = static_cast<std::size_t>(one.target);
                if (timed) timing.jumped(true, true);
                before = rows_, at = next;
                continue;
            }
            call_library(at, one);
            returns = (one.constant & kReturns) != 0;
        }
        if (returns) {
            if (timed) timing.jumped(true, true);
            if (!frames.empty()) {
                before = frames.back().back, at = before + 1;
                frame_weight_ = frames.back().weight, loop_now = -2;
                state.pop_return();
                frames.pop_back();
                continue;
            }
            if (runs-- <= 0) break;
            state.reset();
            chance = 1, at = 0, before = rows_, loop_now = -2, heap_ = kHeap;
            for (auto* list : {&counts_, &cycles_, &timed_, &arguments_, &tries_, &misses_}) list->assign(rows_, 0.0);
            paces_.assign(rows_, {});
            exits_.assign(loops_.heads.size(), 0.0);
            draw_ends();
            if (strides_) strides_ = std::make_unique<AccessStrides>(loops_, rows_);
            continue;
        }
        if (one.op == Op::kJumpTable) {
            const Value to = state.operand(one, one.a, place);
            next = through_table(at, one, to, chance);
            bool foreseen = true;  // each bit of the target's number as one jump
            for (std::size_t bits = next; bits > 0; bits >>= 1)
                foreseen = predictor.foresees(at, (bits & 1) != 0) && foreseen;
            if (timed) timing.jumped(true, to.known ? foreseen : foresees(at, foreseen));
            before = at, at = next;
            continue;
        }
        if (one.op != Op::kCall) {
            const bool open = jumps_if(one.op) && !State::decides(state.flags_for(one), one.condition);
            bool taken = state.run(one, place, chance);
            if (open && mean_rounds_[at] > 0) taken = ends_now(at);
            if (one.stores && (one.op == Op::kNone || one.to != kMemory)) overwrite(one, place);
            if (one.to == kMemory || one.op == Op::kPush) {
                const auto word =
                    static_cast<std::int64_t>(one.op == Op::kPush ? state.value(start_.stack).bits : place);
                least_word_ = std::min(least_word_, word), most_word_ = std::max(most_word_, word);
            }
            if (watched && (one.stores || one.to == kMemory) && state.knows(one.address)) {
                const auto found =
                    one.to == kMemory ? state.words().find(static_cast<std::int64_t>(place)) : state.words().end();
                see(at, Seen::Kind::kStore, place, found == state.words().end() ? 0 : found->second, 64, false,
                    Condition::kOther, true);
            }
            if (timed && one.op == Op::kJump) timing.jumped(true, true);
            if (jumps_if(one.op)) {  // jumps between windows train the predictor as well
                const bool foreseen = predictor.foresees(at, taken);
                if (timed)
                    timing.jumped(taken, open ? foresees(at, foreseen) : foreseen,
                                  open ? limits_.remembered && predictor.hasty() : predictor.overrides());
            }
            if (taken) next = static_cast<std::size_t>(one.target);
        }
        before = at, at = next;
    }
    result.counts = counts_, result.arguments = arguments_, result.exits = exits_;
    result.misses.assign(rows_, 0.0);
    for (std::size_t row = 0; row < rows_; row++)
        if (tries_[row] > 0) result.misses[row] = counts_[row] * misses_[row] / tries_[row];
    result.accesses = timing.accesses(true);
    result.executed = executed_, result.timed = timed_instructions_, result.sampled = sampling;
    for (std::size_t row = 0; row < rows_; row++)
        if (open_[row]) result.open_jumps.push_back(static_cast<std::int32_t>(row));
    for (std::size_t row = 0; row < rows_; row++)
        if (held_[row]) result.held_exits.push_back(static_cast<std::int32_t>(row));
    for (std::size_t row = 0; row < rows_; row++)
        if (updates_[row]) result.updates.push_back(static_cast<std::int32_t>(row));
    for (const std::int32_t head : loops_.heads) result.iterations.push_back(counts_[static_cast<std::size_t>(head)]);
    if (strides_) strides_->report(result);
    if (strides_ && !result.open_jumps.empty())
        for (std::size_t row = 0; row < rows_; row++)
            if (code_.instructions[row].loads && loops_.loop_at[row] >= 0 && result.irregular[row])
                result.steered.push_back(static_cast<std::int32_t>(row));
    estimate(result);
    return result;
}

// How often a jump is met until it leaves its loop, as of independent data: a geometric distribution with this mean. Of
// eight draws in a row one is from each eighth of the distribution, in an order by chance; the very first is the mean.
static std::int64_t drawn_rounds(double mean, std::int64_t number) {
    constexpr double kOfMean = 0.6321205588285577;  // 1 - 1/e
    if (mean <= 1) return 1;
    const auto chance = [](std::int64_t seed) { return (static_cast<std::uint64_t>(seed) + 1) * 6364136223846793005U; };
    const std::uint64_t order = number < 8 ? 0 : chance(number / 8) >> 40, within = chance(number) >> 40;
    const std::uint64_t eighth =
        ((2 * (order & 3) + 3) * static_cast<std::uint64_t>(number % 8) + (order >> 2) + 5) % 8;
    const double place = static_cast<double>(within & 0xFFFF) / 0x10000;
    const double quantile = number == 0 ? kOfMean : (static_cast<double>(eighth) + place) / 8;
    const double rounds = std::ceil(std::log1p(-quantile) / std::log1p(-1 / mean));
    return rounds < 1e18 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(rounds)) : kEndless;
}

void Call::draw_ends() {
    rounds_left_.assign(rows_, 0), ended_.assign(rows_, 0);
    for (std::size_t row = 0; row < rows_; row++)
        if (mean_rounds_[row] > 0) rounds_left_[row] = drawn_rounds(mean_rounds_[row], 0);
}

// Whether a jump that data decide, of which it is known how often it leaves its loop, is taken.
bool Call::ends_now(std::size_t row) {
    const bool leaves = --rounds_left_[row] <= 0;
    if (leaves) rounds_left_[row] = drawn_rounds(mean_rounds_[row], ++ended_[row]);
    const auto target = static_cast<std::size_t>(code_.instructions[row].target);
    const bool goes_out = !is_inside(loops_.loop_at[target], static_cast<std::size_t>(loops_.loop_at[row]));
    return leaves == goes_out;
}

// Data may be such that a jump on unknown values is always foreseen, or goes either way by chance: a share of the
// mispredictions of the latter takes time.
bool Call::foresees(std::size_t row, bool foreseen) {
    tries_[row] += 1;
    if (foreseen) return true;
    const double counted = limits_.surprises * misses_[row];
    misses_[row] += 1;
    return downwards(counted + limits_.surprises) == downwards(counted);
}

// By how much the line of an access is later than one in L1. What goes on with the same step is foreseen by prefetchers,
// and what is no load that data steer counts with the transfers of its nest.
double Call::lateness(std::size_t row, const Instruction& one, std::uint64_t place) {
    const bool known = state_->knows(one.address);
    if (!steered_[row] && !known) return 0;
    const auto line = static_cast<std::uint64_t>(core_.line);
    const double late = known ? lines_->bring(place / line) : lines_->any(place);
    if (!steered_[row]) return 0;
    Step& step = steps_[row];
    const std::uint64_t moved = place - step.place;
    const bool near = moved + line < 2 * line, goes_on = moved == step.moved && moved + kPageBytes <= 2 * kPageBytes;
    step = {place, moved};
    return near || goes_on ? 0 : late;
}

// The row that a jump through a table goes to. Where that depends on data, each of the targets that stay in the loop
// is as likely as the others; of all targets, where none stays.
std::size_t Call::through_table(std::size_t row, const Instruction& one, Value to, std::uint64_t& chance) {
    if (const std::uint64_t known = to.bits - kCodeAddress; to.known && known < rows_) return known;
    const Range entries = table_of(one);
    const std::int32_t loop = loops_.loop_at[row];
    std::vector<std::size_t> staying;
    for (std::int32_t k = entries.from; k < entries.to; k++)
        if (const auto target = static_cast<std::size_t>(code_.targets[static_cast<std::size_t>(k)]);
            loop < 0 || is_inside(loops_.loop_at[target], static_cast<std::size_t>(loop)))
            staying.push_back(target);
    open_[row] = true;
    if (loop >= 0) active_[static_cast<std::size_t>(loop)].opened = active_[static_cast<std::size_t>(loop)].iteration;
    chance = chance * 6364136223846793005U + 1442695040888963407U;
    const auto count = staying.empty() ? static_cast<std::uint64_t>(entries.to - entries.from) : staying.size();
    const std::size_t choice = (chance >> 33) % count;
    return staying.empty() ? static_cast<std::size_t>(code_.targets[static_cast<std::size_t>(entries.from) + choice])
                           : staying[choice];
}

// Executions since the window before take the mean of both; later ones may have longer rows, other alignments.
void Call::end_window() {
    for (std::size_t row = 0; row < rows_; row++) {
        Pace& pace = paces_[row];
        const double times = timed_[row] - pace.timed;
        if (times <= 0) continue;
        const double mean = (cycles_[row] - pace.cycles) / times;
        pace.estimate += (counts_[row] - pace.counts) * (pace.timed > 0 ? (pace.mean + mean) / 2 : mean);
        pace.mean = mean, pace.counts = counts_[row], pace.timed = timed_[row], pace.cycles = cycles_[row];
    }
}

// Cycles of each instruction: by the windows that it was in; where it was in none, by those of its loop, or of all.
void Call::estimate(CallResult& result) {
    end_window();
    std::vector<double> cycles(loops_.heads.size() + 1, 0.0), instructions(loops_.heads.size() + 1, 0.0);
    for (std::size_t row = 0; row < rows_; row++) {
        const std::size_t place = static_cast<std::size_t>(loops_.loop_at[row] + 1);
        cycles[place] += cycles_[row], instructions[place] += timed_[row];
        if (place > 0) cycles[0] += cycles_[row], instructions[0] += timed_[row];
    }
    const auto mean = [&](std::int32_t loop) {
        for (; loop >= 0; loop = loops_.parents[static_cast<std::size_t>(loop)])
            if (const auto place = static_cast<std::size_t>(loop + 1); instructions[place] > 0)
                return cycles[place] / instructions[place];
        return instructions[0] > 0 ? cycles[0] / instructions[0] : 0.0;
    };
    result.cycles.assign(rows_, 0.0);
    for (std::size_t row = 0; row < rows_; row++) {
        const Pace& pace = paces_[row];
        if (counts_[row] <= 0) continue;
        result.cycles[row] = pace.timed > 0 ? pace.estimate + (counts_[row] - pace.counts) * pace.mean
                                            : counts_[row] * mean(loops_.loop_at[row]);
    }
}

// A call beyond its first instructions. Sampled iterations represent those that would be executed one by one, so they
// say whether the call is too long for that before it is tried; in doubt it is tried.
static CallResult follow_long(Call& call, const CallLimits& limits) {
    CallResult sampled = call.run(true, false, limits.instructions * kSampled);
    if (sampled.failure == "long" || call.represented() > static_cast<double>(limits.instructions * kDoubtful))
        return sampled;
    CallResult result = call.run(false, false, limits.instructions);
    return result.failure == "long" ? sampled : result;
}

// A call that was followed with all data in L1, with lines from where they are; of one that is not too long, a call
// before leaves its lines.
static CallResult follow_steered(Call& call, const CallLimits& limits) {
    const std::int64_t most = limits.instructions * (limits.sampled ? kSampled : 1);
    if (!limits.sampled && limits.total > static_cast<double>(limits.whole) &&
        limits.total < static_cast<double>(limits.instructions / 2))
        call.run(false, false, most);
    return call.run(limits.sampled, limits.total <= static_cast<double>(limits.whole), most);
}

CallResult follow_call(const Code& code, const Core& core, const Start& start, const Loops& loops,
                       const CallLimits& limits) {
    Call call(code, core, start, loops, limits);
    if (!limits.levels.caches.empty()) return follow_steered(call, limits);
    CallResult result = call.run(false, false, limits.instructions / kFirst);
    if (result.failure == "long") result = follow_long(call, limits);
    double total = 0;
    for (const double count : result.counts) total += count;
    if (result.failure.empty() && total <= static_cast<double>(limits.whole))
        result = call.run(false, true, limits.instructions);
    if (result.failure.empty() && !result.updates.empty()) {  // the same call with other data
        const bool whole = total <= static_cast<double>(limits.whole);
        const std::int64_t most = limits.instructions * (result.sampled ? kSampled : 1);
        const CallResult other = call.run(result.sampled, whole, most, true);
        if (other.failure.empty()) result.repeating = other.cycles;
    }
    return result;
}

}  // namespace foretell::ooo_core
