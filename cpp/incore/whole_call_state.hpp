// State of a call that is followed: its loops, what repeats in them, and what was counted and timed.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "incore/access_strides.hpp"
#include "incore/condition_change.hpp"
#include "incore/integer_state.hpp"
#include "incore/whole_call.hpp"

namespace foretell::ooo_core {

using Registers = std::bitset<256>;
inline constexpr std::int64_t kAlike = 2;       // equal steps after which iterations are known to repeat
inline constexpr std::int64_t kOpenAlike = 32;  // and where some jumps depend on unknown values
inline constexpr std::int64_t kWorthSampling = 16, kSamples = 8;
inline constexpr std::int64_t kUneven = 64;  // iterations of an innermost loop that do not repeat, before it is sampled
inline constexpr std::int64_t kWatches = 3;  // iterations of an outer loop that show how its words go on
inline constexpr std::size_t kMostWords = 4096;  // of memory that are compared between iterations of an outer loop
inline constexpr std::int64_t kAllocates = 1, kReturns = 2;  // bits of the constant of a call of a library function
inline constexpr std::int64_t kThroughPointer = 4;           // stores the new address where the first argument points
inline constexpr std::int64_t kHeap = std::int64_t{1} << 39, kHeapStep = std::int64_t{1} << 32;
// Of the instructions of a call that are executed one by one: a part that shows whether it is short, how many more a
// sampled call may have, and up to how many more the samples do not decide that it is long.
inline constexpr std::int64_t kFirst = 16, kSampled = 4, kDoubtful = 2;
inline constexpr std::uint64_t kPageBytes = 4096;  // prefetchers stay in a page
inline constexpr std::int64_t kResidues = 8;       // of iteration numbers, that samples take in turn

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

// Cycles of an instruction until the end of the last window that it was in, and its mean there.
struct Pace {
    double counts = 0, timed = 0, cycles = 0, estimate = 0, mean = 0;
};

// Where a load was last, and how far from the time before.
struct Step {
    std::uint64_t place = 0, moved = 0;
};

// A loop that runs.
struct Active {
    std::uint64_t generation = 0;
    std::int64_t iteration = 0, alike = 0, changed = 0, opened = -1, called = -1, entries = 0, next_window = 0,
                 windows = 0, rest = -1, base = 0, samples = 0, watched = -1, watches = 0;
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
          head_at_(rows_, -1),
          leaves_(rows_, false),
          steered_(rows_, false),
          mean_rounds_(rows_, 0.0) {
        for (const std::int32_t row : limits.steered) steered_[static_cast<std::size_t>(row)] = true;
        for (const auto& [row, rounds] : loops.ends) mean_rounds_[static_cast<std::size_t>(row)] = rounds;
        for (const std::int32_t parent : loops.parents)
            if (parent >= 0) inner_[static_cast<std::size_t>(parent)] = false;
        for (std::size_t row = 0; row < rows_; row++)
            if (loops.loop_at[row] >= 0) rows_of_[static_cast<std::size_t>(loops.loop_at[row])].push_back(row);
        for (std::size_t loop = 0; loop < loops.heads.size(); loop++)
            head_at_[static_cast<std::size_t>(loops.heads[loop])] = static_cast<std::int32_t>(loop);
        for (std::size_t row = 0; row + 1 < rows_; row++) {
            const Instruction& one = code.instructions[row];
            if (!jumps_if(one.op) || loops.loop_at[row] < 0) continue;
            const auto loop = static_cast<std::size_t>(loops.loop_at[row]);
            leaves_[row] = !is_inside(loops.loop_at[row + 1], loop) ||
                           !is_inside(loops.loop_at[static_cast<std::size_t>(one.target)], loop);
        }
        find_live();
    }

    // Follows the call; with `sampling`, iterations of outer loops represent others. `whole`: times all instructions,
    // and repeats the call; the times of the last one count. `most`: instructions at most.
    // `repeating`: numbers that arrays hold repeat.
    CallResult run(bool sampling, bool whole, std::int64_t most, bool repeating = false);
    // Instructions that the last run would have executed without sampling.
    double represented() const { return represented_; }

private:
    std::vector<bool> rows_of_root() const;
    void find_live();
    bool is_endless(std::size_t exit) const;
    void arrive(std::size_t loop, bool inside);
    void watch_registers(Active& active, std::size_t loop);
    bool watch_words(Active& active);
    void skip(std::size_t loop);
    void sample(std::size_t loop);
    void finish_sample(std::size_t loop);
    void move_on(std::size_t loop, std::int64_t times);
    void advance(std::size_t loop, std::int64_t times);
    std::int64_t repeats(std::size_t loop, std::int64_t since) const;
    std::int64_t rounds_left(std::size_t loop) const;
    std::int64_t until_change(const Seen& seen, std::int64_t now) const;
    void see(std::size_t row, Seen::Kind kind, std::uint64_t a, std::uint64_t b, std::int64_t bits, bool outcome,
             Condition condition, bool solvable);
    void observe(std::size_t row, const Instruction& one, std::uint64_t place);
    void call_library(std::size_t row, const Instruction& one);
    void overwrite(const Instruction& one, std::uint64_t place);
    void note_update(std::size_t row, const Instruction& one, std::uint64_t place);
    double weight_at(std::int32_t loop) const;
    bool is_inside(std::int32_t loop, std::size_t around) const {
        for (; loop >= 0; loop = loops_.parents[static_cast<std::size_t>(loop)])
            if (static_cast<std::size_t>(loop) == around) return true;
        return false;
    }
    bool foresees(std::size_t row, bool foreseen);
    void draw_ends();
    bool ends_now(std::size_t row);
    // Iterations until a jump that data decide leaves its loop, where it is met in each.
    std::int64_t until_end(std::size_t row) const {
        return mean_rounds_[row] > 0 && stamp_[row] + 1 == clock_ ? rounds_left_[row] - 1 : kEndless;
    }
    double lateness(std::size_t row, const Instruction& one, std::uint64_t place);
    std::size_t through_table(std::size_t row, const Instruction& one, Value to, std::uint64_t& chance);
    void end_window();
    void estimate(CallResult& result);

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
    std::vector<bool> leaves_;         // conditional jumps of which one side leaves their loop
    std::vector<bool> steered_;        // loads that data steer, of which it counts where their lines are
    std::vector<double> mean_rounds_;  // of those on data: how often they are met until they leave it; 0: not known

    // state of a run
    State* state_ = nullptr;
    bool sampling_ = false, timing_now_ = false;
    std::vector<Active> active_;
    std::vector<std::int64_t> rounds_left_, ended_;  // of such a jump: until it leaves its loop, and how often it did
    std::vector<Seen> seen_;
    std::vector<double> counts_, cycles_, timed_, arguments_, tries_, misses_, exits_;
    std::vector<Pace> paces_;
    std::vector<std::uint64_t> stamp_;
    std::vector<bool> open_, held_, updates_;
    std::array<std::uint64_t, 8> loaded_{};  // the last places that are not known
    std::size_t next_loaded_ = 0;
    std::uint64_t generation_ = 0, clock_ = 1;
    std::int64_t executed_ = 0, timed_instructions_ = 0, window_ = 0, warm_ = 0, heap_ = kHeap;
    double weight_ = 1, frame_weight_ = 1, represented_ = 0;
    std::int64_t least_word_ = kEndless, most_word_ = 0;
    std::unique_ptr<AccessStrides> strides_;
    std::unique_ptr<LineLevels> lines_;
    std::vector<Step> steps_;  // of each load that data steer: its last place, and how far it had moved
};

// Notes what an instruction did in this iteration of its loop; whatever does not go on by constants begins anew.
inline void Call::see(std::size_t row, Seen::Kind kind, std::uint64_t a, std::uint64_t b, std::int64_t bits,
                      bool outcome, Condition condition, bool solvable) {
    Active& active = active_[static_cast<std::size_t>(loops_.loop_at[row])];
    Seen& seen = seen_[row];
    const std::int64_t gap = active.iteration - seen.iteration;
    if (seen.generation != active.generation || gap < 0) {
        seen = {};
        seen.generation = active.generation;
    } else if (gap == 0) {
        seen.twice = true;
    } else {
        std::uint64_t step_a = static_cast<std::uint64_t>(extended(cut(a - seen.a, bits), bits)),
                      step_b = static_cast<std::uint64_t>(extended(cut(b - seen.b, bits), bits));
        bool same = outcome == seen.outcome;
        if (gap > 1) {
            same = same && static_cast<std::int64_t>(step_a) % gap == 0 && static_cast<std::int64_t>(step_b) % gap == 0;
            step_a = static_cast<std::uint64_t>(static_cast<std::int64_t>(step_a) / gap);
            step_b = static_cast<std::uint64_t>(static_cast<std::int64_t>(step_b) / gap);
        }
        same = same && (seen.times < 2 || (step_a == seen.step_a && step_b == seen.step_b));
        if (kind == Seen::Kind::kFixed && (step_a | step_b) != 0) same = false;
        if (!same) active.changed = active.iteration + 1, seen.times = 0;
        seen.step_a = step_a, seen.step_b = step_b;
    }
    seen.kind = kind, seen.a = a, seen.b = b, seen.bits = bits, seen.outcome = outcome, seen.condition = condition;
    seen.solvable = solvable, seen.iteration = active.iteration, seen.times++;
}

// Before execution: operands of what is no sum. Only sums go on by constants where their operands do.
inline void Call::observe(std::size_t row, const Instruction& one, std::uint64_t place) {
    if (one.stores || one.to == kMemory) return;  // its value and address are noted after execution
    const auto note = [&](Seen::Kind kind, Value a, Value b) {
        if (a.known && b.known) see(row, kind, a.bits, b.bits, 64, false, Condition::kOther, true);
    };
    switch (one.op) {
        case Op::kAnd:
        case Op::kAndNot:
        case Op::kOr:
        case Op::kXor:
            if (one.op == Op::kXor && one.a == one.b) break;
            [[fallthrough]];
        case Op::kBextr:
        case Op::kBzhi:
        case Op::kShr:
        case Op::kSar:
        case Op::kDivide:
        case Op::kQuotient:
        case Op::kQuotientUnsigned:
        case Op::kMulHigh:
        case Op::kMulHighSigned:
            note(Seen::Kind::kFixed, state_->operand(one, one.a, place), state_->operand(one, one.b, place));
            break;
        case Op::kSign:
        case Op::kBsr:
        case Op::kBsf:
        case Op::kTzcnt:
        case Op::kLzcnt:
        case Op::kPopcnt: note(Seen::Kind::kFixed, state_->operand(one, one.a, place), {0, true}); break;
        case Op::kShl:
            if (one.b >= 0) note(Seen::Kind::kFixed, state_->operand(one, one.b, place), {0, true});
            break;
        case Op::kMul: {
            const Value a = state_->operand(one, one.a, place), b = state_->operand(one, one.b, place);
            note(Seen::Kind::kLinear, {a.bits * b.bits, a.known && b.known}, {0, true});
            break;
        }
        case Op::kMove:
        case Op::kAdd:
        case Op::kSub:
        case Op::kSignExtend:
        case Op::kZeroExtend:
            if (one.loads || one.a == kMemory)
                note(one.address.base == start_.stack ? Seen::Kind::kLinear : Seen::Kind::kFixed,
                     state_->operand(one, kMemory, place), {0, true});
            else if (one.op != Op::kMove && one.op != Op::kAdd && one.op != Op::kSub)
                note(Seen::Kind::kLinear, state_->operand(one, one.a, place), {0, true});
            break;
        default: break;
    }
}

}  // namespace foretell::ooo_core
