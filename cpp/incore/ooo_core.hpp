// Simulates an out-of-order core on the machine code of one function: register values determine branches and addresses;
// dependences, port contention and buffer sizes determine when each instruction executes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/fields.hpp"

namespace foretell::ooo_core {

// Integer operations, X(value, external name); all others are `kNone`, whose results are unknown.
#define FORETELL_CORE_OPERATIONS(X)                                                                    \
    X(kNone, none) X(kMove, move) X(kAdd, add) X(kSub, sub) X(kAnd, and) X(kOr, or) X(kXor, xor)       \
    X(kShl, shl) X(kShr, shr) X(kSar, sar) X(kMul, mul) X(kNeg, neg) X(kNot, not) X(kAddress, address) \
    X(kCompare, compare) X(kTest, test) X(kSelect, select) X(kSet, set) X(kJump, jump)                 \
    X(kJumpIf, jump_if) X(kReturn, return) X(kPush, push) X(kPop, pop) X(kSignExtend, sign_extend)     \
    X(kZeroExtend, zero_extend) X(kDivide, divide) X(kAndNot, and_not) X(kCall, call) X(kStop, stop)   \
    X(kSign, sign) X(kLeave, leave) X(kMulHigh, multiply_high) X(kMulHighSigned, multiply_high_signed)   \
    X(kBsr, bsr) X(kBsf, bsf) X(kTzcnt, tzcnt) X(kLzcnt, lzcnt) X(kPopcnt, popcnt) X(kBextr, bextr) X(kBzhi, bzhi) \
    X(kQuotient, quotient) X(kQuotientUnsigned, quotient_unsigned) X(kCompareIf, compare_if)             \
    X(kJumpOn, jump_on) X(kJumpTable, jump_table)

// Conditions, each followed by its negation.
#define FORETELL_CORE_CONDITIONS(X)                                                                   \
    X(kEqual, equal) X(kNotEqual, not_equal) X(kLess, less) X(kNotLess, not_less)                     \
    X(kLessEqual, less_equal) X(kGreater, greater) X(kBelow, below) X(kNotBelow, not_below)           \
    X(kBelowEqual, below_equal) X(kAbove, above) X(kNegative, negative) X(kNotNegative, not_negative) \
    X(kOther, other) X(kNotOther, not_other)

#define X(value, name) value,
enum class Op : std::uint8_t { FORETELL_CORE_OPERATIONS(X) };
enum class Condition : std::uint8_t { FORETELL_CORE_CONDITIONS(X) };
#undef X

// Conditional jumps: on the flags, or on a number compared with zero.
// How often a jump on unknown values is taken, where that is known; all numbers between are shares.
inline constexpr std::uint8_t kNever = 1, kAlways = 255;

inline bool jumps_if(Op op) { return op == Op::kJumpIf || op == Op::kJumpOn; }
// Operations with a condition.
inline bool is_conditional(Op op) {
    return jumps_if(op) || op == Op::kSelect || op == Op::kSet || op == Op::kCompareIf;
}

// Operands: a register number, or one of these.
inline constexpr std::int16_t kConstant = -1;
inline constexpr std::int16_t kMemory = -2;
inline constexpr std::int16_t kNowhere = -3;

struct Address {
    std::int16_t base = kNowhere, index = kNowhere;
    std::int32_t scale = 1, bytes = 0;
    std::int64_t displacement = 0;
};

// One micro-operation: the ports it may use (bit mask), its reciprocal throughput, and its latency: `near` to
// operations that have a shorter one as well (adders forward to adders), `far` to others. `wait`: further cycles for operands that come from other units.
struct Unit {
    std::uint64_t ports = 0;
    double busy = 1, near = 1, far = 1, wait = 0;
};

// Half-open range of indices.
struct Range {
    std::int32_t from = 0, to = 0;
    bool empty() const { return from == to; }
};

// Compact, so that a whole loop stays in L1. Units and registers are indices into the lists of `Code`.
struct Instruction {
    Op op = Op::kNone;
    Condition condition = Condition::kOther;
    std::uint8_t bits = 64;
    std::uint8_t chance = 0;  // of a jump on unknown values: 0 not known, kNever to kAlways: how often it is taken
    std::uint16_t slots = 1, fetched = 1;                // of the issue stage, and of lines of the micro-op cache
    bool loads = false, stores = false, vector = false;  // vector: writes a vector register
    bool passed_on = false;                              // a register move that is eliminated at rename
    bool sets_flags = false;
    std::int16_t to = kNowhere, a = kNowhere, b = kNowhere;
    std::int32_t target = 0;  // of a jump
    std::int64_t constant = 0;
    Address address;
    Range units;  // arithmetic; loads and stores have their own units
    std::int32_t load = -1, across = -1, store = -1,
                 store_address = -1;  // no address: handled by dedicated units
    Range reads, writes;              // registers, without those of the address
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<Unit> units;
    std::vector<std::int16_t> registers;
    std::vector<std::int32_t> targets;  // of jumps through tables: rows of instructions
};

// The entries of a jump's table, in `targets`: the first, and how many.
inline constexpr int kTableBits = 16;
inline Range table_of(const Instruction& one) {
    const auto first = static_cast<std::int32_t>(one.constant >> kTableBits);
    return {first, first + static_cast<std::int32_t>(one.constant & ((1 << kTableBits) - 1))};
}
// An instruction's address, as it stands in a table in memory.
inline constexpr std::uint64_t kCodeAddress = std::uint64_t{1} << 44;

// Sizes of buffers, and times in cycles. 0 for scheduler, store_scheduler, loads and vectors means unlimited, or
// (stores) shared with the others.
#define FORETELL_CORE_NUMBERS(X)                                                         \
    X(double, width) /* slots per cycle */                                               \
    X(std::int64_t, fetch_line) /* micro-operations of a line that is fetched per cycle */ \
    X(std::int64_t, reorder) /* slots of the reorder buffer */                           \
    X(std::int64_t, stores) /* store buffer: stores that have not reached the cache */   \
    X(double, miss) /* penalty of a mispredicted branch */                               \
    X(double, override) /* of a quick prediction that one from a longer history corrects */ \
    X(std::int64_t, history) /* branches in the predictor's history */                   \
    X(double, load) /* from address to value */                                          \
    X(double, forward) /* store-to-load forwarding to a general register */               \
    X(double, forward_vector) /* and to a vector register */                             \
    X(double, blocked) /* a load that overlaps an in-flight store partially */           \
    X(double, alias) /* a load at the page offset of an in-flight store (4K aliasing) */ \
    X(double, commit_across) /* of a store that crosses a line */                        \
    X(std::int64_t, line) /* bytes */                                                    \
    X(std::int64_t, scheduler) /* arithmetic that waits for operands or a port */        \
    X(std::int64_t, store_scheduler) /* stores that wait for their data */               \
    X(std::int64_t, loads) /* loads that have not retired */                             \
    X(std::int64_t, vectors) /* results in vector registers that have not retired */

struct Core {
    FORETELL_TYPED_FIELDS(FORETELL_CORE_NUMBERS)
};

// An array of integers whose elements rise by a constant: where the rows of a matrix begin, or lengths that are all the
// mean.
#define FORETELL_SERIES(X)                                \
    X(std::int64_t, first) /* address of its beginning */ \
    X(std::int64_t, last)  /* and of its end */           \
    X(std::int64_t, bytes) /* of an element */            \
    X(std::int64_t, value) /* of the first element */     \
    X(std::int64_t, step)  /* to the next one */

struct Series {
    FORETELL_TYPED_FIELDS(FORETELL_SERIES)
};

struct Start {
    std::vector<std::pair<std::int64_t, std::int64_t>> registers;
    std::vector<std::pair<std::int64_t, std::int64_t>> memory;  // 8-byte words, such as arguments on the stack
    std::int64_t stack = kNowhere, flags = kNowhere;
    std::int64_t count = 0;      // total number of registers
    std::int64_t pushed = 0;     // bytes of the return address that a call pushes
    std::vector<Series> series;  // further known contents of memory
};

// Additional work each time the code reaches an instruction: it occupies slots of the reorder buffer, and its time is
// counted elsewhere.
struct Beside {
    std::int64_t at = -1, slots = 0;
};

struct Simulation {
    std::vector<double> ends;                // cycle at which each completed run of the function ended
    std::vector<std::vector<double>> times;  // for every mark, the cycles at which its instruction was issued
    std::int64_t instructions = 0, misses = 0;
    double accesses = 0;  // fraction of the time in which L1 is busy with loads or with stores
};

// Limits: runs of the function, instructions, and executions of the last mark in the first run; the last counts only
// once the reorder buffer has been filled some times.
struct Until {
    std::int64_t runs = 1, most = 0, rounds = 0;  // rounds 0: unlimited
};

// Runs the function repeatedly, until one of the limits is reached.
Simulation follow(const Code& code, const Core& core, const Start& start, const std::vector<std::int64_t>& marks,
                  const Until& until, const Beside& beside = {});

}  // namespace foretell::ooo_core
