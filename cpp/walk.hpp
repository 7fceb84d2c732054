// Follows the machine code of one function, instruction by instruction, and tells when each would run on an
// out-of-order core: what the registers hold decides where jumps go and where memory is touched; what waits for what,
// free units and the sizes of the core's buffers decide the time.
#pragma once

#include <cstdint>
#include <vector>

namespace foretell::walk {

// What an instruction does to whole numbers; everything else is `kNone`, which leaves what it writes unknown.
enum class Op : std::uint8_t {
    kNone, kMove, kAdd, kSub, kAnd, kOr, kXor, kShl, kShr, kSar, kMul, kNeg, kNot, kAddress, kCompare, kTest, kSelect,
    kSet, kJump, kJumpIf, kReturn, kPush, kPop, kSignExtend, kZeroExtend, kDivide, kAndNot, kStop,
};

// Operands: a register's number, or one of these.
inline constexpr std::int16_t kConstant = -1;
inline constexpr std::int16_t kMemory = -2;
inline constexpr std::int16_t kNowhere = -3;

// Conditions, each with its opposite behind it.
enum class Condition : std::uint8_t {
    kEqual, kNotEqual, kLess, kNotLess, kLessEqual, kGreater, kBelow, kNotBelow, kBelowEqual, kAbove, kNegative,
    kNotNegative, kOther, kNotOther,
};

struct Address {
    std::int16_t base = kNowhere, index = kNowhere;
    std::int32_t scale = 1, bytes = 0;
    std::int64_t displacement = 0;
};

// One micro-operation: the units it may run on (bits), how long it keeps one busy and when its result is there, to an
// operation of the same unit and to those of others.
struct Unit {
    std::uint64_t ports = 0;
    double busy = 1, near = 1, far = 1;
};

// Places in a list, from the first to before the last.
struct Range {
    std::int32_t from = 0, to = 0;
    bool empty() const { return from == to; }
};

// Small, for all of a loop shall stay in the innermost cache. Units and registers are places in the lists of `Code`.
struct Instruction {
    Op op = Op::kNone;
    Condition condition = Condition::kOther;
    std::uint8_t bits = 64;
    std::uint8_t chance = 0;  // of a jump that numbers do not decide: 0 either way, 1 never, 2 always
    std::uint16_t slots = 1;  // of the front end
    bool loads = false, stores = false, vector = false;  // vector: a vector register is written
    bool passed_on = false;  // a move of registers that needs no unit
    std::int16_t to = kNowhere, a = kNowhere, b = kNowhere;
    std::int32_t target = 0;  // of a jump
    std::int64_t constant = 0;
    Address address;
    Range units;  // the arithmetic; loads and stores have units of their own
    std::int32_t load = -1, across = -1, store = -1, store_address = -1;  // no address: units of their own take them all
    Range reads, writes;  // registers, without those of the address
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<Unit> units;
    std::vector<std::int16_t> registers;
};

struct Core {
    double width = 4;            // slots in a cycle
    std::int64_t reorder = 224;  // slots between the oldest instruction that waits and the newest
    std::int64_t stores = 56;    // stores that have not reached the cache
    double miss = 15;            // cycles after a jump went the other way than foreseen
    std::int64_t history = 100;  // jumps back that a prediction looks at
    double load = 5;             // cycles from address to value
    double forward = 5;          // from a store's data to the load behind it
    double blocked = 12;         // a load that takes only part of its bytes from a waiting store
    double alias = 0;            // a load at the same place of another page as a waiting store
    double commit_across = 2;    // cycles in which a store that crosses a line reaches the cache
    std::int64_t line = 64;
    std::int64_t scheduler = 0;  // arithmetic that waits for its operands or a unit; 0: any number
    std::int64_t store_scheduler = 0;  // stores that wait for their data; 0: among the others
    std::int64_t loads = 0;      // loads that have not retired; 0: any number
    std::int64_t vectors = 0;    // results in vector registers that have not retired; 0: any number
};

struct Start {
    std::vector<std::pair<std::int64_t, std::int64_t>> registers;
    std::vector<std::pair<std::int64_t, std::int64_t>> memory;  // 8-byte words, such as arguments on the stack
    std::int64_t stack = kNowhere, flags = kNowhere;
    std::int64_t count = 0;  // registers in all
};

// Other work that comes by each time the code reaches an instruction: it takes so many slots of the reorder buffer, and
// its time is counted elsewhere.
struct Beside {
    std::int64_t at = -1, slots = 0;
};

struct Walk {
    std::vector<double> ends;                // the cycle at which each finished run of the function ended
    std::vector<std::vector<double>> times;  // for every mark, the cycles at which its instruction was issued
    std::int64_t instructions = 0, misses = 0;
    double accesses = 0;  // the share of the time in which the innermost cache is busy with loads or with stores
};

// Runs of the function, instructions, and how often the last mark is met in the first run; that counts only when the
// reorder buffer was full some times.
struct Until {
    std::int64_t runs = 1, most = 0, rounds = 0;  // no rounds: however often
};

// Runs the function again and again, until one of the limits is reached.
Walk follow(const Code& code, const Core& core, const Start& start,
            const std::vector<std::int64_t>& marks, const Until& until, const Beside& beside = {});

}  // namespace foretell::walk
