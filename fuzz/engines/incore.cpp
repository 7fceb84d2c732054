// Any machine code on any out-of-order core: followed for some rounds, and as a whole call.
#include "incore/whole_call.hpp"

#include <stdexcept>

#include "bytes.hpp"

namespace {

using namespace foretell::ooo_core;
using fuzz::Bytes;

constexpr int registers = 12, stack = 10, flags = 11;

#define X(value, name) +1
constexpr int operations = 0 FORETELL_CORE_OPERATIONS(X), conditions = 0 FORETELL_CORE_CONDITIONS(X);
#undef X

std::int16_t operand(Bytes& bytes) { return static_cast<std::int16_t>(bytes.between(kNowhere, registers - 1)); }

Range range(Bytes& bytes, std::size_t size) {
    const int from = bytes.between(0, static_cast<int>(size));
    return {from, bytes.between(from, static_cast<int>(size))};
}

// What the wrapper checks (bind/ooo_core.cpp) holds.
Instruction instruction(Bytes& bytes, const Code& code, int rows) {
    Instruction one;
    const auto number = [&](int most) { return static_cast<std::int16_t>(bytes.between(0, most)); };
    one.op = static_cast<Op>(number(operations - 1));
    one.condition = static_cast<Condition>(number(conditions - 1));
    one.bits = static_cast<std::uint8_t>(bytes.between(1, 64));
    one.chance = bytes.next();
    one.slots = static_cast<std::uint16_t>(bytes.between(0, 6)), one.fetched = static_cast<std::uint16_t>(number(3));
    one.loads = bytes.truth(), one.stores = bytes.truth(), one.vector = bytes.truth();
    one.passed_on = bytes.truth(), one.sets_flags = bytes.truth();
    one.to = operand(bytes), one.a = operand(bytes), one.b = operand(bytes);
    one.target = number(rows);
    one.constant = bytes.whole();
    one.address = {operand(bytes), operand(bytes), static_cast<std::int32_t>(bytes.whole()),
                   static_cast<std::int32_t>(bytes.between(0, 64)), bytes.whole()};
    const int units = static_cast<int>(code.units.size());
    one.units = range(bytes, code.units.size());
    one.load = number(units - 1), one.across = number(units - 1);
    one.store = number(units - 1), one.store_address = static_cast<std::int32_t>(bytes.between(-1, units - 1));
    one.reads = range(bytes, code.registers.size()), one.writes = range(bytes, code.registers.size());
    if (one.op == Op::kDivide || one.op == Op::kMulHigh || one.op == Op::kMulHighSigned)
        one.constant = number(registers - 1);
    if (one.op == Op::kJumpOn) one.a = number(registers - 1);
    if (one.op == Op::kJumpTable) one.constant = std::int64_t{number(1)} << kTableBits | 1;
    return one;
}

Code code(Bytes& bytes, int rows) {
    Code result;
    for (int left = bytes.between(1, 3); left > 0; --left)
        result.units.push_back({static_cast<std::uint64_t>(bytes.between(1, 15)), bytes.next() / 4.0, bytes.next() / 8.0,
                                bytes.next() / 8.0, bytes.next() / 64.0});
    for (int left = bytes.between(0, 6); left > 0; --left)
        result.registers.push_back(static_cast<std::int16_t>(bytes.between(0, registers - 1)));
    for (int left = 3; left > 0; --left) result.targets.push_back(bytes.between(0, rows - 1));
    for (int left = rows; left > 0; --left) result.instructions.push_back(instruction(bytes, result, rows));
    return result;
}

Core core(Bytes& bytes) {
    Core result{};
    result.width = bytes.between(1, 8), result.fetch_line = bytes.between(0, 8), result.reorder = bytes.between(1, 250);
    result.stores = bytes.between(1, 60), result.miss = bytes.between(0, 20), result.override = bytes.between(0, 4);
    result.history = bytes.between(0, 30), result.load = bytes.between(1, 8), result.forward = bytes.between(1, 8);
    result.forward_vector = bytes.between(1, 8), result.renames = bytes.between(0, 1);
    result.blocked = bytes.between(0, 20), result.alias = bytes.between(0, 20);
    result.commit_across = bytes.between(0, 4), result.line = 64, result.scheduler = bytes.between(0, 90);
    result.store_scheduler = bytes.between(0, 30), result.loads = bytes.between(0, 90);
    result.vectors = bytes.between(0, 160);
    return result;
}

Start start(Bytes& bytes) {
    Start result{{}, {}, stack, flags, registers, 8, {}};
    for (int k = 0; k < registers; ++k)
        if (bytes.truth()) result.registers.emplace_back(k, bytes.whole());
    result.registers.emplace_back(stack, 1 << 20);
    for (int left = bytes.between(0, 2); left > 0; --left) result.memory.emplace_back(bytes.whole(), bytes.whole());
    for (int left = bytes.between(0, 2); left > 0; --left)
        result.series.push_back({bytes.whole(), bytes.whole(), bytes.between(1, 8), bytes.whole(), bytes.whole()});
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const int rows = bytes.between(1, 12);
    const Code given = code(bytes, rows);
    const Core on = core(bytes);
    const Start from = start(bytes);
    Loops loops;
    const int count = bytes.between(0, 3);
    for (int k = 0; k < rows; ++k) loops.loop_at.push_back(bytes.between(-1, count - 1));
    for (int k = 0; k < count; ++k) {
        loops.heads.push_back(bytes.between(0, rows - 1));
        loops.parents.push_back(k == 0 ? -1 : bytes.between(-1, k - 1));
    }
    CallLimits limits;
    limits.instructions = 3000, limits.timed = limits.whole = 2000, limits.window = 200, limits.warm_up = 50;
    limits.strides = bytes.truth(), limits.remembered = bytes.truth();
    try {
        follow(given, on, from, {bytes.between(0, rows - 1)}, {2, 3000, bytes.between(0, 3)});
    } catch (const std::runtime_error&) {}  // it runs past its end, or calls what has no known time
    follow_call(given, on, from, loops, limits);
    return 0;
}
