#include "incore/whole_call.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <utility>

#include "incore/core_timing.hpp"
#include "incore/integer_state.hpp"

namespace foretell::ooo_core {
namespace {

using Registers = std::bitset<256>;
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kAlike = 2;       // equal steps after which iterations are known to repeat
constexpr std::int64_t kOpenAlike = 32;  // and where some jumps depend on unknown values
constexpr std::int64_t kWorthSampling = 16, kSamples = 8;
constexpr std::size_t kMostWords = 4096;  // of memory that are compared between iterations of an outer loop
constexpr std::int64_t kAllocates = 1, kReturns = 2;  // bits of the constant of a call of a library function
constexpr std::int64_t kHeap = std::int64_t{1} << 44, kHeapStep = std::int64_t{1} << 32;

// Iterations from now on until a condition on two numbers that advance by constants changes: at least 1, or kEndless.
class Outcome {
public:
    Outcome(Condition condition, std::uint64_t a, std::uint64_t b, std::uint64_t step_a, std::uint64_t step_b,
            std::int64_t bits)
        : base_(static_cast<Condition>(static_cast<int>(condition) & ~1)),
          bits_(bits),
          a_(a),
          b_(b),
          step_a_(step_a),
          step_b_(step_b) {}

    std::int64_t changes_after() const {
        switch (base_) {
            case Condition::kEqual: return until_equal();
            case Condition::kLess: return ordered(true, false);
            case Condition::kLessEqual: return ordered(true, true);
            case Condition::kBelow: return ordered(false, false);
            case Condition::kBelowEqual: return ordered(false, true);
            case Condition::kNegative:
                return Outcome(Condition::kLess, a_ - b_, 0, step_a_ - step_b_, 0, bits_).changes_after();
            default: return 1;
        }
    }

private:
    std::int64_t until_equal() const {
        const std::int64_t apart = extended(cut(a_ - b_, bits_), bits_),
                           step = extended(cut(step_a_ - step_b_, bits_), bits_);
        if (step == 0) return kEndless;
        if (apart == 0) return 1;  // equal now, and not after a step
        return apart % step == 0 && -(apart / step) > 0 ? -(apart / step) : kEndless;
    }

    // Signed or unsigned comparison: a < b, or a <= b.
    std::int64_t ordered(bool is_signed, bool or_equal) const {
        const auto number = [&](std::uint64_t x) -> __int128 {
            return is_signed ? static_cast<__int128>(extended(cut(x, bits_), bits_))
                             : static_cast<__int128>(cut(x, bits_));
        };
        const __int128 a = number(a_), b = number(b_), sa = extended(cut(step_a_, bits_), bits_),
                       sb = extended(cut(step_b_, bits_), bits_);
        const __int128 apart = b - a + (or_equal ? 1 : 0), step = sb - sa;  // a < b where apart > 0
        __int128 change = kEndless;
        if (apart > 0 && step < 0) change = (apart + -step - 1) / -step;
        if (apart <= 0 && step > 0) change = -apart / step + 1;
        const __int128 wraps = std::min(until_wrap(a, sa, is_signed), until_wrap(b, sb, is_signed));
        return static_cast<std::int64_t>(std::max<__int128>(1, std::min(change, wraps)));
    }

    __int128 until_wrap(__int128 from, __int128 step, bool is_signed) const {
        if (step == 0) return kEndless;
        const __int128 top = (static_cast<__int128>(1) << (is_signed ? bits_ - 1 : bits_)) - 1;
        const __int128 bottom = is_signed ? -(static_cast<__int128>(1) << (bits_ - 1)) : 0;
        return std::min<__int128>(kEndless, (step > 0 ? (top - from) / step : (from - bottom) / -step) + 1);
    }

    Condition base_;
    std::int64_t bits_;
    std::uint64_t a_, b_, step_a_, step_b_;
};

// What an instruction did in the last iterations of its loop: operands of a comparison, the number it computed, or
// address and value of a store.
struct Seen {
    std::uint64_t generation = 0, a = 0, b = 0, step_a = 0, step_b = 0;
    std::int64_t iteration = 0, times = 0, bits = 64;
    Condition condition = Condition::kOther;
    bool outcome = false, solvable = true, twice = false;
    enum class Kind : std::uint8_t { kCondition, kFixed, kLinear, kStore } kind = Kind::kLinear;
};

struct Word {
    std::uint64_t value = 0, step = 0;
    std::int64_t alike = 0;
};

// A loop that runs.
struct Active {
    std::uint64_t generation = 0;
    std::int64_t iteration = 0, alike = 0, changed = 0, opened = -1, called = -1, entries = 0, next_window = 0,
                 windows = 0, rest = -1, base = 0;
    double weight = 1;
    std::vector<Value> before;
    std::vector<std::uint64_t> steps;
    std::vector<double> base_counts;
    std::unordered_map<std::int64_t, Word> words;
};

class Call {
public:
    Call(const Code& code, const Core& core, const Start& start, const Loops& loops, const CallLimits& limits)
        : code_(code),
          core_(core),
          start_(start),
          loops_(loops),
          limits_(limits),
          rows_(code.instructions.size()),
          inner_(loops.heads.size(), true),
          rows_of_(loops.heads.size()),
          live_(loops.heads.size()),
          head_at_(rows_, -1) {
        for (const std::int32_t parent : loops.parents)
            if (parent >= 0) inner_[static_cast<std::size_t>(parent)] = false;
        for (std::size_t row = 0; row < rows_; row++)
            if (loops.loop_at[row] >= 0) rows_of_[static_cast<std::size_t>(loops.loop_at[row])].push_back(row);
        for (std::size_t loop = 0; loop < loops.heads.size(); loop++)
            head_at_[static_cast<std::size_t>(loops.heads[loop])] = static_cast<std::int32_t>(loop);
        find_live();
    }

    // Follows the call; with `sampling`, iterations of outer loops represent others. `whole`: times all instructions,
    // and repeats the call; the times of the last one count.
    CallResult run(bool sampling, bool whole);

private:
    void find_live();
    void arrive(std::size_t loop, bool inside);
    void watch_registers(Active& active, std::size_t loop);
    void watch_words(Active& active);
    void skip(std::size_t loop);
    void sample(std::size_t loop);
    void advance(std::size_t loop, std::int64_t times);
    std::int64_t repeats(std::size_t loop, std::int64_t since) const;
    void see(std::size_t row, Seen::Kind kind, std::uint64_t a, std::uint64_t b, std::int64_t bits, bool outcome,
             Condition condition, bool solvable);
    void observe(std::size_t row, const Instruction& one);
    void call_library(std::size_t row, const Instruction& one);
    void overwrite(const Instruction& one, std::uint64_t place);
    double weight_at(std::int32_t loop) const;
    bool is_inside(std::int32_t loop, std::size_t around) const {
        for (; loop >= 0; loop = loops_.parents[static_cast<std::size_t>(loop)])
            if (static_cast<std::size_t>(loop) == around) return true;
        return false;
    }
    void estimate(CallResult& result) const;

    const Code& code_;
    const Core& core_;
    const Start& start_;
    const Loops& loops_;
    const CallLimits& limits_;
    std::size_t rows_;
    std::vector<bool> inner_;
    std::vector<std::vector<std::size_t>> rows_of_;
    std::vector<std::vector<std::int16_t>> live_;  // registers that are read after each head
    std::vector<std::int32_t> head_at_;

    // state of a run
    State* state_ = nullptr;
    bool sampling_ = false, timing_now_ = false;
    std::vector<Active> active_;
    std::vector<Seen> seen_;
    std::vector<double> counts_, cycles_, timed_, arguments_;
    std::vector<std::uint64_t> stamp_;
    std::vector<bool> open_;
    std::uint64_t generation_ = 0, clock_ = 1;
    std::int64_t executed_ = 0, timed_instructions_ = 0, window_ = 0, warm_ = 0, heap_ = kHeap;
    double weight_ = 1, frame_weight_ = 1;
    std::int64_t least_word_ = kEndless, most_word_ = 0;
};

// Registers whose values are read after each loop head, by the usual backward iteration.
void Call::find_live() {
    std::vector<Registers> live(rows_ + 1);
    const auto reads = [&](const Instruction& one, Registers& set) {
        const auto add = [&](std::int64_t number) {
            if (number >= 0 && number < 256) set.set(static_cast<std::size_t>(number));
        };
        if (one.op == Op::kCall || one.op == Op::kReturn) set.set();
        for (std::int32_t k = one.reads.from; k < one.reads.to; k++) add(code_.registers[static_cast<std::size_t>(k)]);
        for (const std::int16_t number : {one.a, one.b, one.address.base, one.address.index}) add(number);
    };
    bool changed = true;
    while (changed) {
        changed = false;
        for (std::size_t row = rows_; row-- > 0;) {
            const Instruction& one = code_.instructions[row];
            Registers after;
            if (one.op == Op::kJump || one.op == Op::kJumpIf) after |= live[static_cast<std::size_t>(one.target)];
            if (one.op != Op::kJump && one.op != Op::kReturn) after |= live[row + 1];
            if (one.op != Op::kSelect && one.bits >= 32)
                for (std::int32_t k = one.writes.from; k < one.writes.to; k++)
                    if (const auto number = static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)]);
                        number < 256)
                        after.reset(number);
            reads(one, after);
            if (after != live[row]) live[row] = after, changed = true;
        }
    }
    for (std::size_t loop = 0; loop < loops_.heads.size(); loop++)
        for (std::size_t number = 0; number < 256 && static_cast<std::int64_t>(number) < start_.count; number++)
            if (live[static_cast<std::size_t>(loops_.heads[loop])][number] &&
                static_cast<std::int64_t>(number) != start_.flags)
                live_[loop].push_back(static_cast<std::int16_t>(number));
}

double Call::weight_at(std::int32_t loop) const {
    double weight = frame_weight_;
    for (; loop >= 0; loop = loops_.parents[static_cast<std::size_t>(loop)])
        weight *= active_[static_cast<std::size_t>(loop)].weight;
    return weight;
}

void Call::arrive(std::size_t loop, bool inside) {
    Active& active = active_[loop];
    clock_++;
    if (!inside) {
        active.generation = ++generation_;
        active.iteration = active.changed = active.base = 0, active.alike = -1,
        active.opened = active.called = active.rest = -1;
        active.weight = 1;
        active.words.clear();
        active.before.clear();
        if (active.entries++ >= active.next_window && active.windows < limits_.windows_of_loop && window_ == 0 &&
            timed_instructions_ < limits_.timed && !timing_now_) {
            window_ = limits_.window, warm_ = limits_.warm_up;
            active.windows++;
            active.next_window = 3 * active.entries;
        }
    } else {
        active.iteration++;
    }
    watch_registers(active, loop);
    if (window_ > 0 || timing_now_ || !inside) return;
    if (inner_[loop]) skip(loop);
    else if (sampling_) sample(loop);
}

void Call::watch_registers(Active& active, std::size_t loop) {
    const std::vector<std::int16_t>& live = live_[loop];
    if (active.before.size() != live.size()) {
        active.before.resize(live.size()), active.steps.assign(live.size(), 0);
        for (std::size_t k = 0; k < live.size(); k++) active.before[k] = state_->value(live[k]);
        active.alike = -1;
        return;
    }
    bool same = true;
    for (std::size_t k = 0; k < live.size(); k++) {
        const Value now = state_->value(live[k]);
        Value& before = active.before[k];
        const std::uint64_t step = now.bits - before.bits;
        if (now.known != before.known || (now.known && step != active.steps[k])) same = false;
        if (now.known) active.steps[k] = step;
        before = now;
    }
    active.alike = same ? active.alike + 1 : 0;
    if (!same) active.changed = active.iteration;
}

// Notes what an instruction did in this iteration of its loop; whatever does not go on by constants begins anew.
void Call::see(std::size_t row, Seen::Kind kind, std::uint64_t a, std::uint64_t b, std::int64_t bits, bool outcome,
               Condition condition, bool solvable) {
    const std::int32_t loop = loops_.loop_at[row];
    if (loop < 0) return;
    Active& active = active_[static_cast<std::size_t>(loop)];
    Seen& seen = seen_[row];
    const std::int64_t gap = active.iteration - seen.iteration;
    if (seen.generation != active.generation || gap < 0) {
        seen = {};
        seen.generation = active.generation;
    } else if (gap == 0) {
        seen.twice = true;
    } else {
        const std::uint64_t step_a = static_cast<std::uint64_t>(extended(cut(a - seen.a, bits), bits) / gap);
        const std::uint64_t step_b = static_cast<std::uint64_t>(extended(cut(b - seen.b, bits), bits) / gap);
        const bool fits = cut(step_a * static_cast<std::uint64_t>(gap), bits) == cut(a - seen.a, bits) &&
                          cut(step_b * static_cast<std::uint64_t>(gap), bits) == cut(b - seen.b, bits);
        bool same =
            fits && outcome == seen.outcome && (seen.times < 2 || (step_a == seen.step_a && step_b == seen.step_b));
        if (kind == Seen::Kind::kFixed && step_a != 0) same = false;
        if (!same) active.changed = active.iteration + 1, seen.times = 0;
        seen.step_a = step_a, seen.step_b = step_b;
    }
    seen.kind = kind, seen.a = a, seen.b = b, seen.bits = bits, seen.outcome = outcome, seen.condition = condition;
    seen.solvable = solvable, seen.iteration = active.iteration, seen.times++;
}

// After execution.
void Call::observe(std::size_t row, const Instruction& one) {
    switch (one.op) {
        case Op::kAnd:
        case Op::kAndNot:
        case Op::kOr:
        case Op::kXor:
        case Op::kShr:
        case Op::kSar:
        case Op::kDivide:
            if (one.to >= 0 && state_->value(one.to).known)
                see(row, Seen::Kind::kFixed, state_->value(one.to).bits, 0, 64, false, Condition::kOther, true);
            break;
        case Op::kMul:
        case Op::kSignExtend:
        case Op::kZeroExtend:
        case Op::kShl:
            if (one.to >= 0 && state_->value(one.to).known)
                see(row, Seen::Kind::kLinear, state_->value(one.to).bits, 0, 64, false, Condition::kOther, true);
            break;
        case Op::kMove:
        case Op::kAdd:
        case Op::kSub:
            if (one.loads && one.to >= 0 && state_->value(one.to).known)
                see(row, one.address.base == start_.stack ? Seen::Kind::kLinear : Seen::Kind::kFixed,
                    state_->value(one.to).bits, 0, 64, false, Condition::kOther, true);
            break;
        default: break;
    }
}

// Iterations that will repeat those since `since`: 0 where that is not known.
std::int64_t Call::repeats(std::size_t loop, std::int64_t since) const {
    const Active& active = active_[loop];
    std::int64_t most = kEndless;
    for (const std::size_t row : rows_of_[loop]) {
        const Seen& seen = seen_[row];
        if (seen.generation != active.generation || seen.iteration < since) continue;
        if (seen.times < 2 || seen.twice) return 0;
        const std::uint64_t gone = static_cast<std::uint64_t>(active.iteration - 1 - seen.iteration);
        if (seen.kind == Seen::Kind::kCondition) {
            if (!seen.solvable) {
                if (seen.step_a != 0 || seen.step_b != 0) return 0;
                continue;
            }
            const Outcome outcome(seen.condition, seen.a + gone * seen.step_a, seen.b + gone * seen.step_b, seen.step_a,
                                  seen.step_b, seen.bits);
            most = std::min(most, outcome.changes_after() - 1);
        }
    }
    return most;
}

// Moves a loop forward by iterations that repeat the last one.
void Call::advance(std::size_t loop, std::int64_t times) {
    Active& active = active_[loop];
    const auto by = static_cast<std::uint64_t>(times);
    for (std::size_t k = 0; k < live_[loop].size(); k++) {
        if (!active.before[k].known) continue;
        active.before[k].bits += by * active.steps[k];
        state_->set(live_[loop][k], active.before[k]);
    }
    for (const std::size_t row : rows_of_[loop]) {
        Seen& seen = seen_[row];
        if (seen.generation != active.generation) continue;
        if (seen.kind == Seen::Kind::kStore && seen.iteration + 1 == active.iteration) {
            auto& words = state_->words();
            if (seen.step_a == 0) {
                if (const auto found = words.find(static_cast<std::int64_t>(seen.a)); found != words.end())
                    found->second += by * seen.step_b;
            } else if (!words.empty()) {
                const auto first = static_cast<std::int64_t>(seen.a),
                           last = static_cast<std::int64_t>(seen.a + by * seen.step_a);
                if (std::max(first, last) >= least_word_ && std::min(first, last) <= most_word_)
                    std::erase_if(words, [&](const auto& word) {
                        return word.first >= std::min(first, last) && word.first <= std::max(first, last);
                    });
            }
        }
        seen.a += by * seen.step_a, seen.b += by * seen.step_b, seen.iteration += times;
    }
    active.iteration += times, active.changed += times, active.base += times;
    if (active.opened >= 0) active.opened += times;
}

// An innermost loop whose iterations repeat: counts them without executing them.
void Call::skip(std::size_t loop) {
    Active& active = active_[loop];
    const bool open = active.opened >= 0;
    const std::int64_t needed = open ? kOpenAlike : kAlike, alike = active.iteration - active.changed;
    if (open && active.base < active.changed) {  // begin to count anew
        active.base = active.iteration;
        active.base_counts.resize(rows_of_[loop].size());
        for (std::size_t k = 0; k < rows_of_[loop].size(); k++) active.base_counts[k] = counts_[rows_of_[loop][k]];
        return;
    }
    if (active.alike < kAlike || alike < needed || active.called >= active.changed ||
        (open && active.iteration - active.base < kOpenAlike))
        return;
    const std::int64_t times = repeats(loop, open ? active.base : active.iteration - 1);
    if (times <= 0 || times == kEndless) return;
    const double weight = weight_at(static_cast<std::int32_t>(loop)), more = static_cast<double>(times);
    const double since = static_cast<double>(active.iteration - active.base);
    for (std::size_t k = 0; k < rows_of_[loop].size(); k++) {
        const std::size_t row = rows_of_[loop][k];
        if (open) {
            counts_[row] += more * (counts_[row] - active.base_counts[k]) / since;
        } else if (stamp_[row] + 1 == clock_) {
            counts_[row] += weight * more;
        }
    }
    advance(loop, times);
    if (open) active.base = active.iteration - static_cast<std::int64_t>(since);
}

void Call::watch_words(Active& active) {
    const auto& words = state_->words();
    if (words.size() > kMostWords) return active.words.clear();
    for (const auto& [address, value] : words) {
        auto [found, fresh] = active.words.try_emplace(address, Word{value, 0, 0});
        if (fresh) continue;
        const std::uint64_t step = value - found->second.value;
        found->second = {value, step, step == found->second.step ? found->second.alike + 1 : 0};
    }
}

// An outer loop of a long call: executes some of the iterations that are left, each in the middle of those it represents.
void Call::sample(std::size_t loop) {
    Active& active = active_[loop];
    watch_words(active);
    if (active.alike < 1 || state_->words().size() > kMostWords) {
        active.weight = 1, active.rest = -1;
        return;
    }
    const auto move = [&](std::int64_t times) {
        if (times <= 0) return;
        advance(loop, times);
        auto& words = state_->words();
        for (auto& [address, word] : active.words) {
            const auto found = words.find(address);
            if (found == words.end()) continue;
            if (word.alike < 1) words.erase(found);
            else found->second = word.value += static_cast<std::uint64_t>(times) * word.step;
        }
    };
    const std::int64_t left = repeats(loop, active.iteration - 1);
    if (active.rest >= 0) {
        move(std::min(std::exchange(active.rest, -1), left));
        active.weight = 1;
    }
    const std::int64_t remaining = repeats(loop, active.iteration - 1);
    if (remaining == kEndless || remaining < kWorthSampling) return;
    const std::int64_t represented = remaining / kSamples;
    move(represented / 2);
    active.rest = represented - represented / 2 - 1;
    active.weight = static_cast<double>(represented);
}

// A function of a library: forgets what calls do not preserve; allocations return a new address.
void Call::call_library(std::size_t row, const Instruction& one) {
    if (one.b >= 0 && state_->value(one.b).known)
        arguments_[row] += weight_ * static_cast<double>(state_->value(one.b).bits);
    state_->forget(one);
    if (one.to >= 0) {
        state_->set(one.to, {static_cast<std::uint64_t>(heap_), (one.constant & kAllocates) != 0});
        if ((one.constant & kAllocates) != 0) heap_ += kHeapStep;
    }
}

// A store of a number that is not followed.
void Call::overwrite(const Instruction& one, std::uint64_t place) {
    auto& words = state_->words();
    const auto first = static_cast<std::int64_t>(place);
    if (words.empty() || first > most_word_ || first + one.address.bytes <= least_word_) return;
    for (std::int64_t k = 0; k < std::max(one.address.bytes, 1); k += 4) words.erase(first + k);
}

CallResult Call::run(bool sampling, bool whole) {
    State state(code_, start_);
    state_ = &state, sampling_ = sampling, timing_now_ = whole;
    active_.assign(loops_.heads.size(), {});
    seen_.assign(rows_, {});
    for (auto* list : {&counts_, &cycles_, &timed_, &arguments_}) list->assign(rows_, 0.0);
    stamp_.assign(rows_, 0);
    open_.assign(rows_, false);
    executed_ = timed_instructions_ = window_ = 0, heap_ = kHeap, weight_ = frame_weight_ = 1;
    least_word_ = kEndless, most_word_ = 0;
    for (const auto& [address, value] : start_.memory)
        least_word_ = std::min(least_word_, address), most_word_ = std::max(most_word_, address);
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
    const std::int64_t most = limits_.instructions * (sampling ? 4 : 1);
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
            result.failure = "the code calls what has no known time";
            break;
        }
        const std::uint64_t place = state.address(one.address);
        counts_[at] += weight_;
        stamp_[at] = clock_;
        const bool timed = window_ > 0 || whole;
        if (timed) {
            const double then = timing.end();
            timing.execute(one, place, timing.issue(one));
            timed_instructions_++;
            if (warm_ > 0 && !whole) warm_--;
            else cycles_[at] += timing.end() - then, timed_[at] += 1;
            if (window_ > 0) window_--;
        }
        if (one.op == Op::kJumpIf || one.op == Op::kSelect || one.op == Op::kSet) {
            const Flags& flags = state.flags();
            if (state.decides(one.condition)) {
                const bool sums = flags.from == Flags::From::kNumber && one.condition != Condition::kEqual &&
                                  one.condition != Condition::kNotEqual && one.condition != Condition::kNegative &&
                                  one.condition != Condition::kNotNegative && flags.overflow;
                see(at, Seen::Kind::kCondition, flags.a, flags.b, flags.bits, state.holds(one.condition), one.condition,
                    flags.from != Flags::From::kOther && !sums);
            } else if (one.op == Op::kJumpIf && one.chance == 0) {
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
                state.move_stack(-8);
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
                state.move_stack(8);
                frames.pop_back();
                continue;
            }
            if (runs-- <= 0) break;
            state.reset();
            chance = 1, at = 0, before = rows_, loop_now = -2, heap_ = kHeap;
            for (auto* list : {&counts_, &cycles_, &timed_, &arguments_}) list->assign(rows_, 0.0);
            continue;
        }
        if (one.op != Op::kCall) {
            const bool taken = state.run(one, place, chance);
            if (one.stores && (one.op == Op::kNone || one.to != kMemory)) overwrite(one, place);
            if (one.to == kMemory || one.op == Op::kPush) {
                const auto word =
                    static_cast<std::int64_t>(one.op == Op::kPush ? state.value(start_.stack).bits : place);
                least_word_ = std::min(least_word_, word), most_word_ = std::max(most_word_, word);
            }
            if (one.stores && state.knows(one.address)) {
                const auto found =
                    one.to == kMemory ? state.words().find(static_cast<std::int64_t>(place)) : state.words().end();
                see(at, Seen::Kind::kStore, place, found == state.words().end() ? 0 : found->second, 64, false,
                    Condition::kOther, true);
            }
            observe(at, one);
            if (timed && one.op == Op::kJump) timing.jumped(true, true);
            if (timed && one.op == Op::kJumpIf) timing.jumped(taken, predictor.foresees(at, taken));
            if (taken) next = static_cast<std::size_t>(one.target);
        }
        before = at, at = next;
    }
    result.counts = counts_, result.arguments = arguments_;
    result.accesses = timing.accesses(true);
    result.executed = executed_, result.timed = timed_instructions_, result.sampled = sampling;
    for (std::size_t row = 0; row < rows_; row++)
        if (open_[row]) result.open_jumps.push_back(static_cast<std::int32_t>(row));
    for (const std::int32_t head : loops_.heads) result.iterations.push_back(counts_[static_cast<std::size_t>(head)]);
    estimate(result);
    return result;
}

// Cycles of each instruction: its mean in the windows; where it was not seen in any, that of its loop, or of all.
void Call::estimate(CallResult& result) const {
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
    for (std::size_t row = 0; row < rows_; row++)
        if (counts_[row] > 0)
            result.cycles[row] =
                counts_[row] * (timed_[row] > 0 ? cycles_[row] / timed_[row] : mean(loops_.loop_at[row]));
}

}  // namespace

CallResult follow_call(const Code& code, const Core& core, const Start& start, const Loops& loops,
                                     const CallLimits& limits) {
    Call call(code, core, start, loops, limits);
    CallResult result = call.run(false, false);
    if (result.failure == "long") result = call.run(true, false);
    double total = 0;
    for (const double count : result.counts) total += count;
    if (result.failure.empty() && total <= static_cast<double>(limits.whole)) result = call.run(false, true);
    return result;
}

}  // namespace foretell::ooo_core
