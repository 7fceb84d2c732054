#include "incore/ooo_core.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "common/simd.hpp"
#include "incore/ooo_core_state.hpp"

namespace foretell::ooo_core {
namespace {

constexpr double kQueue = 12;       // cycles that fetch may run ahead of issue
constexpr std::int64_t kFull = 16;  // reorder buffers of instructions before iterations of a loop count as steady state

struct Value {
    std::uint64_t bits = 0;
    bool known = false;
};

struct Flags {
    bool known = false, zero = false, negative = false, carry = false, overflow = false;
};

std::uint64_t cut(std::uint64_t value, std::int64_t bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t extended(std::uint64_t value, std::int64_t bits) {
    const int shift = static_cast<int>(64 - bits);
    return static_cast<std::int64_t>(value << shift) >> shift;
}

// Integer state of a run: registers, flags and the words that the code itself has stored.
class State {
public:
    State(const Code& code, const Start& start) : code_(code), start_(start) { reset(); }

    void reset() {
        registers_.assign(static_cast<std::size_t>(start_.count), Value{});
        for (const auto& [number, value] : start_.registers) at(number) = {static_cast<std::uint64_t>(value), true};
        words_.clear();
        for (const auto& [address, value] : start_.memory) words_[address] = static_cast<std::uint64_t>(value);
        flags_ = {};
    }

    std::uint64_t address(const Address& from) const {
        std::uint64_t sum = static_cast<std::uint64_t>(from.displacement);
        if (from.base >= 0) sum += at(from.base).bits;
        if (from.index >= 0) sum += at(from.index).bits * static_cast<std::uint64_t>(from.scale);
        return sum;
    }

    // Marks the results of an instruction as unknown.
    void forget(const Instruction& one) {
        for (std::int32_t k = one.writes.from; k < one.writes.to; k++) {
            const std::int16_t number = code_.registers[static_cast<std::size_t>(k)];
            if (number == start_.flags) flags_.known = false;
            else if (number != start_.stack) at(number).known = false;
        }
    }

    // Executes the instruction; true if a jump is taken.
    bool run(const Instruction& one, std::uint64_t place, std::uint64_t& chance);

private:
    const Value& at(std::int64_t number) const { return registers_[static_cast<std::size_t>(number)]; }
    Value& at(std::int64_t number) { return registers_[static_cast<std::size_t>(number)]; }

    Value read(const Instruction& one, std::int64_t operand, std::uint64_t place) const {
        if (operand == kConstant) return {static_cast<std::uint64_t>(one.constant), true};
        if (operand == kMemory) return word(place);
        return operand >= 0 ? at(operand) : Value{};
    }

    Value word(std::uint64_t place) const {
        const auto found = words_.find(static_cast<std::int64_t>(place));
        return found == words_.end() ? Value{} : Value{found->second, true};
    }

    void write(const Instruction& one, Value value, std::uint64_t place) {
        value.bits = cut(value.bits, one.bits);
        if (one.to >= 0) {
            // Writes of 8 and 16 bits keep the rest of the register; those of 32 clear it.
            if (one.bits < 32) value.bits |= at(one.to).bits & ~((std::uint64_t{1} << one.bits) - 1);
            at(one.to) = value;
        } else if (one.to == kMemory) {
            if (value.known) words_[static_cast<std::int64_t>(place)] = value.bits;
            else words_.erase(static_cast<std::int64_t>(place));
        }
    }

    void mark(std::uint64_t result, std::int64_t bits, bool known) {
        flags_ = {known, cut(result, bits) == 0, extended(cut(result, bits), bits) < 0, false, false};
    }

    void mark_difference(std::uint64_t a, std::uint64_t b, std::int64_t bits, bool known) {
        a = cut(a, bits), b = cut(b, bits);
        mark(a - b, bits, known);
        flags_.carry = a < b;
        const bool signs = (extended(a, bits) < 0) != (extended(b, bits) < 0);
        flags_.overflow = signs && flags_.negative != (extended(a, bits) < 0);
    }

    bool holds(Condition condition) const {
        const auto number = static_cast<std::int64_t>(condition);
        bool found = false;
        switch (static_cast<Condition>(number & ~std::int64_t{1})) {
            case Condition::kEqual: found = flags_.zero; break;
            case Condition::kLess: found = flags_.negative != flags_.overflow; break;
            case Condition::kLessEqual: found = flags_.zero || flags_.negative != flags_.overflow; break;
            case Condition::kBelow: found = flags_.carry; break;
            case Condition::kBelowEqual: found = flags_.carry || flags_.zero; break;
            case Condition::kNegative: found = flags_.negative; break;
            default: break;
        }
        return found != ((number & 1) != 0);
    }

    bool decides(Condition condition) const {
        return flags_.known && condition != Condition::kOther && condition != Condition::kNotOther;
    }

    void arithmetic(const Instruction& one, std::uint64_t place);
    void stack(const Instruction& one);

    const Code& code_;
    const Start& start_;
    std::vector<Value> registers_;
    std::unordered_map<std::int64_t, std::uint64_t> words_;
    Flags flags_;
};

void State::arithmetic(const Instruction& one, std::uint64_t place) {
    const Value a = read(one, one.a, place), b = read(one, one.b, place);
    Value result{0, a.known && b.known};
    const std::uint64_t shift = b.bits & (one.bits == 64 ? 63 : 31);
    switch (one.op) {
        case Op::kAdd: result.bits = a.bits + b.bits; break;
        case Op::kSub: result.bits = a.bits - b.bits; break;
        case Op::kAnd: result.bits = a.bits & b.bits; break;
        case Op::kAndNot: result.bits = ~a.bits & b.bits; break;
        case Op::kOr: result.bits = a.bits | b.bits; break;
        case Op::kXor:
            result.bits = a.bits ^ b.bits;
            if (one.a == one.b && one.a >= 0) result = {0, true};
            break;
        case Op::kMul: result.bits = a.bits * b.bits; break;
        case Op::kShl: result.bits = a.bits << shift; break;
        case Op::kShr: result.bits = cut(a.bits, one.bits) >> shift; break;
        case Op::kSar:
            result.bits = static_cast<std::uint64_t>(extended(cut(a.bits, one.bits), one.bits) >> shift);
            break;
        default: break;
    }
    write(one, result, place);
    if (one.op == Op::kSub) mark_difference(a.bits, b.bits, one.bits, result.known);
    else mark(result.bits, one.bits, result.known);
    if (one.op == Op::kAdd) flags_.carry = cut(result.bits, one.bits) < cut(a.bits, one.bits);
}

void State::stack(const Instruction& one) {
    Value& top = at(start_.stack);
    if (one.op == Op::kPush) {
        top.bits -= 8;
        const Value value = read(one, one.a, top.bits);
        if (value.known) words_[static_cast<std::int64_t>(top.bits)] = value.bits;
    } else {
        const Value value = word(top.bits);
        top.bits += 8;
        if (one.to >= 0) at(one.to) = value;
    }
}

bool State::run(const Instruction& one, std::uint64_t place, std::uint64_t& chance) {
    const Value a = one.op == Op::kNone ? Value{} : read(one, one.a, place);
    switch (one.op) {
        case Op::kNone: forget(one); break;
        case Op::kMove: write(one, a, place); break;
        case Op::kAddress: write(one, {place, true}, place); break;
        case Op::kSignExtend:
            write(one, {static_cast<std::uint64_t>(extended(cut(a.bits, one.constant), one.constant)), a.known}, place);
            break;
        case Op::kZeroExtend: write(one, {cut(a.bits, one.constant), a.known}, place); break;
        case Op::kNeg:
            write(one, {0 - a.bits, a.known}, place);
            mark_difference(0, a.bits, one.bits, a.known);
            break;
        case Op::kNot: write(one, {~a.bits, a.known}, place); break;
        case Op::kCompare: {
            const Value b = read(one, one.b, place);
            mark_difference(a.bits, b.bits, one.bits, a.known && b.known);
            break;
        }
        case Op::kTest: {
            const Value b = read(one, one.b, place);
            mark(a.bits & b.bits, one.bits, a.known && b.known);
            break;
        }
        case Op::kDivide: {  // `a` / `b`; the quotient goes to `to`, the remainder to register `constant`
            const Value b = read(one, one.b, place);
            const std::int64_t up = extended(a.bits, one.bits), down = extended(b.bits, one.bits);
            const bool fine = a.known && b.known && down != 0 && down != -1;
            const std::int64_t rest = one.constant;
            at(rest) = {cut(static_cast<std::uint64_t>(fine ? up % down : 0), one.bits), fine};
            write(one, {static_cast<std::uint64_t>(fine ? up / down : -up), fine || down == -1}, place);
            break;
        }
        case Op::kSelect:
            if (!decides(one.condition)) at(one.to).known = false;
            else if (holds(one.condition)) write(one, a, place);
            else if (one.bits == 32) at(one.to).bits = cut(at(one.to).bits, 32);
            break;
        case Op::kSet: write(one, {holds(one.condition), decides(one.condition)}, place); break;
        case Op::kPush:
        case Op::kPop: stack(one); break;
        case Op::kJump: return true;
        case Op::kReturn: return false;
        case Op::kJumpIf:
            if (decides(one.condition)) return holds(one.condition);
            if (one.chance != 0) return one.chance == 2;
            chance = chance * 6364136223846793005U + 1442695040888963407U;
            return (chance >> 63) != 0;
        default: arithmetic(one, place); break;
    }
    return false;
}

struct Ready {
    double near = 0, far = 0;
    int port = -1;
};

struct Busy {  // cycles until now, and those of loads and stores
    double time = 0, loading = 0, storing = 0;
};

// Timing of an instruction stream on the core.
class Timing {
public:
    Timing(const Code& code, const Core& core, std::int64_t registers)
        : code_(code),
          core_(core),
          ports_(code.units),
          ready_(static_cast<std::size_t>(registers)),
          retired_(static_cast<std::size_t>(core.reorder)),
          committed_(static_cast<std::size_t>(core.stores)),
          loaded_(static_cast<std::size_t>(std::max<std::int64_t>(core.loads, 1))),
          renamed_(static_cast<std::size_t>(std::max<std::int64_t>(core.vectors, 1))),
          scheduler_(core.scheduler),
          store_scheduler_(core.store_scheduler),
          stored_(core.stores),
          line_(static_cast<std::uint64_t>(core.line)),
          line_bits_(std::has_single_bit(line_) ? std::countr_zero(line_) : -1) {
        for (const Instruction& one : code.instructions)
            while (cycles_.size() <= one.slots) cycles_.push_back(static_cast<double>(cycles_.size()) / core.width);
    }

    double issue(const Instruction& one);
    void execute(const Instruction& one, std::uint64_t place, double issued);
    void jumped(bool taken, bool foreseen);
    void pass_by(std::int64_t slots) {
        for (std::int64_t k = std::min(slots, core_.reorder); k > 0; k--) retired_.push(retire_);
    }
    double end() const { return retire_; }

    // Fraction of the time in which L1 is busy: over complete runs, or, if the code continues, without the start-up and
    // without the latency of the instructions issued last.
    double accesses(bool ended) const {
        const Busy from = ended ? Busy{} : before_, to{ended ? retire_ : issue_, loading_, storing_};
        const int ports = std::max(1, std::popcount(load_ports_));
        return std::max((to.loading - from.loading) / ports, to.storing - from.storing) /
               std::max(to.time - from.time, 1.0);
    }

    // Takes a checkpoint; to be called when the instruction count has doubled since the last one.
    void look_back() { before_ = std::exchange(half_, {issue_, loading_, storing_}); }

private:
    static double on(const Ready& value, int port) { return value.port == port ? value.near : value.far; }

    // Cycle at which each source register of an instruction is ready.
    template <typename Each>
    void each_read(const Instruction& one, Each look) const {
        for (std::int32_t k = one.reads.from; k < one.reads.to; k++)
            look(ready_[static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)])]);
    }

    double read_by(const Instruction& one, int port, double start) const {
        each_read(one, [&](const Ready& value) { start = std::max(start, on(value, port)); });
        return start;
    }

    const Unit& unit(std::int32_t number) const { return code_.units[static_cast<std::size_t>(number)]; }

    double address_ready(const Address& from, double start) const {
        for (const std::int16_t number : {from.base, from.index})
            if (number >= 0) start = std::max(start, on(ready_[static_cast<std::size_t>(number)], -1));
        return start;
    }

    Ready compute(const Instruction& one, const Unit& unit, double loaded, const Ready& before);
    double load(const Instruction& one, std::uint64_t place, double issued);
    void store(const Instruction& one, std::uint64_t place, double issued, double data);
    void commit(const Instruction& one, std::uint64_t place);
    std::uint64_t line_of(std::uint64_t place) const { return line_bits_ >= 0 ? place >> line_bits_ : place / line_; }
    bool crosses(std::uint64_t place, std::int32_t bytes) const {
        return line_of(place) != line_of(place + static_cast<std::uint64_t>(std::max(bytes, 1)) - 1);
    }

    const Code& code_;
    const Core& core_;
    Ports ports_;
    std::vector<double> cycles_;  // cycles for issuing a number of slots
    std::vector<Ready> ready_;
    Ring retired_, committed_, loaded_, renamed_;  // all instructions, stores, loads, results in vector registers
    // Scheduler in which stores wait for their data: the common one, if stores have no scheduler of their own.
    Scheduler& storing() { return core_.store_scheduler > 0 ? store_scheduler_ : scheduler_; }
    Scheduler scheduler_, store_scheduler_;  // arithmetic, and stores
    Stores stored_;
    std::uint64_t line_;
    int line_bits_;  // log2 of the line, or -1
    double issue_ = 0, fetch_ = 0, retire_ = 0, commit_ = 0, done_ = 0, commit_line_ = -1;
    bool joined_ = false;
    double loading_ = 0, storing_ = 0;
    Busy half_, before_;
    std::uint64_t load_ports_ = 0;
};

double Timing::issue(const Instruction& one) {
    double earliest = std::max(issue_, fetch_);
    if (one.slots > 0) earliest = std::max(earliest, retired_.before(one.slots - 1U));
    if (one.stores) earliest = std::max(earliest, committed_.before(0));
    if (one.loads && core_.loads > 0) earliest = std::max(earliest, loaded_.before(0));
    if (one.vector && core_.vectors > 0) earliest = std::max(earliest, renamed_.before(0));
    if (!one.units.empty()) earliest = scheduler_.place(earliest);
    if (one.stores) earliest = storing().place(earliest);
    issue_ = earliest + cycles_[one.slots];
    return static_cast<double>(downwards(earliest));
}

void Timing::execute(const Instruction& one, std::uint64_t place, double issued) {
    const double loaded = one.loads ? load(one, place, issued) : issued;
    Ready result{loaded, loaded, -1};
    if (one.passed_on && one.reads.to - one.reads.from == 1)
        each_read(one, [&](const Ready& value) { result = value; });
    for (std::int32_t k = one.units.from; k < one.units.to; k++) result = compute(one, unit(k), loaded, result);
    if (one.stores) store(one, place, issued, one.units.empty() ? read_by(one, -1, result.far) : result.far);
    done_ = std::max(result.near, issued + 1);
    for (std::int32_t k = one.writes.from; k < one.writes.to; k++)
        ready_[static_cast<std::size_t>(code_.registers[static_cast<std::size_t>(k)])] = result;
    retire_ = std::max(retire_, done_);
    for (int k = one.slots; k > 0; k--) retired_.push(retire_);
    if (one.loads) loaded_.push(retire_);
    if (one.vector) renamed_.push(retire_);
    if (one.stores) commit(one, place);
}

// A micro-operation that depends on another of the same instruction.
Ready Timing::compute(const Instruction& one, const Unit& unit, double loaded, const Ready& before) {
    const auto start_on = [&](int port) { return read_by(one, port, std::max(loaded, on(before, port))); };
    double start = loaded;
    std::uint64_t sooner = 0;  // ports on which an operand is ready earlier (local forwarding)
    const auto wait = [&](const Ready& value) {
        start = std::max(start, value.far);
        if (value.port >= 0 && value.near != value.far) sooner |= std::uint64_t{1} << value.port;
    };
    wait(before);
    each_read(one, wait);
    const auto at = ports_.book(unit, start, sooner, start_on);
    scheduler_.add(at.second);
    return {at.second + unit.near, at.second + unit.far, at.first};
}

double Timing::load(const Instruction& one, std::uint64_t place, double issued) {
    const double start = address_ready(one.address, issued);
    const Unit& way = unit(crosses(place, one.address.bytes) ? one.across : one.load);
    const auto at = ports_.book(way, start);
    loading_ += way.busy;
    load_ports_ |= way.ports;
    double value = at.second + way.near;
    const auto bytes = static_cast<std::uint64_t>(one.address.bytes);
    stored_.each(place, bytes, at.second, [&](const Waiting& before) {
        const bool meets = before.address < place + bytes && place < before.address + before.bytes;
        if (!meets) {
            value = std::max(value, at.second + way.near + core_.alias);
        } else if (before.address <= place && place + bytes <= before.address + before.bytes) {
            value = std::max(value, before.data + core_.forward);
        } else {
            value = std::max(value, before.commit + core_.blocked);
        }
    });
    return value;
}

void Timing::store(const Instruction& one, std::uint64_t place, double issued, double data) {
    double start = address_ready(one.address, issued);
    if (one.store_address >= 0) start = ports_.book(unit(one.store_address), start).second;
    const auto at = ports_.book(unit(one.store), std::max(start, data));
    storing().add(at.second);
    stored_.add(place, static_cast<std::uint64_t>(one.address.bytes), at.second);
}

// Commits in order, after retirement: one line per cycle, two stores if both are to the same line.
void Timing::commit(const Instruction& one, std::uint64_t place) {
    const double line = static_cast<double>(line_of(place));
    const bool split = crosses(place, one.address.bytes);
    const bool joins = !split && line == commit_line_ && !joined_;
    const double takes = split ? core_.commit_across : joins ? 0 : 1;
    commit_ = std::max(commit_ + takes, retire_ + 1);
    storing_ += takes;
    commit_line_ = split ? -1 : line;
    joined_ = joins;
    committed_.push(commit_);
    stored_.commit(commit_);
}

void Timing::jumped(bool taken, bool foreseen) {
    // The target of a taken jump is fetched a cycle later, but possibly long before it can issue.
    if (!foreseen) fetch_ = done_ + core_.miss;
    else if (taken) fetch_ = std::max(fetch_ + 1, issue_ - kQueue);
}

}  // namespace

FORETELL_BITS Simulation follow(const Code& code, const Core& core, const Start& start,
                                const std::vector<std::int64_t>& marks, const Until& until, const Beside& beside) {
    const std::vector<Instruction>& instructions = code.instructions;
    State state(code, start);
    Timing timing(code, core, start.count);
    Predictor predictor(core.history, instructions.size());
    Simulation simulation;
    simulation.times.resize(marks.size());
    std::vector<std::int64_t> mark(instructions.size(), -1);
    for (std::size_t k = 0; k < marks.size(); k++)
        mark[static_cast<std::size_t>(marks[k])] = static_cast<std::int64_t>(k);
    std::uint64_t chance = 1;
    std::size_t at = 0;
    std::int64_t most = until.most;
    while (simulation.instructions < most) {
        if (at >= instructions.size()) throw std::runtime_error("the code runs past its end");
        const Instruction& one = instructions[at];
        if (one.op == Op::kStop) throw std::runtime_error("the code calls what has no known time");
        const std::uint64_t place = state.address(one.address);
        if (static_cast<std::int64_t>(at) == beside.at) timing.pass_by(beside.slots);
        const double issued = timing.issue(one);
        if (mark[at] >= 0) {
            simulation.times[static_cast<std::size_t>(mark[at])].push_back(issued);
            if (until.rounds > 0 && simulation.ends.empty() &&
                simulation.times.back().size() > static_cast<std::size_t>(until.rounds))
                most = std::min(most, std::max(simulation.instructions, kFull * core.reorder) + 1);
        }
        timing.execute(one, place, issued);
        const bool taken = state.run(one, place, chance);
        simulation.instructions++;
        if ((simulation.instructions & (simulation.instructions - 1)) == 0) timing.look_back();  // at powers of two
        if (one.op == Op::kReturn) {
            timing.jumped(true, true);
            simulation.ends.push_back(timing.end());
            most = until.most;
            if (static_cast<std::int64_t>(simulation.ends.size()) >= until.runs) break;
            state.reset();
            chance = 1;  // repeats the same call, with the same data
            at = 0;
            continue;
        }
        if (one.op == Op::kJump) timing.jumped(true, true);
        if (one.op == Op::kJumpIf) {
            const bool foreseen = predictor.foresees(at, taken);
            simulation.misses += !foreseen;
            timing.jumped(taken, foreseen);
        }
        at = taken ? static_cast<std::size_t>(one.target) : at + 1;
    }
    simulation.accesses = timing.accesses(!simulation.ends.empty());
    return simulation;
}

}  // namespace foretell::ooo_core
