// Integer state of a function that is followed: registers, flags, and the words of memory that it stored itself.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "incore/ooo_core.hpp"

namespace foretell::ooo_core {

// A number. One that is not known has a guess, which gives accesses a place: a chance number, or, `inside` an object
// whose address is known, that address with a chance offset.
struct Value {
    std::uint64_t bits = 0;
    bool known = false, inside = false;
};

// Objects are further apart than offsets that are not known reach.
inline constexpr std::uint64_t kReach = std::uint64_t{1} << 32, kNoAddress = std::uint64_t{1} << 47;
inline bool is_located(const Value& value) {
    return value.inside || (value.known && value.bits >= kReach && value.bits < kNoAddress);
}

struct Flags {
    bool known = false, zero = false, negative = false, carry = false, overflow = false;
    bool apart = false;   // known only as objects do not overlap
    bool chosen = false;  // of unknown values: what a selection took them to be
    // What they were set from: a difference of two numbers, or one number compared with zero.
    enum class From : std::uint8_t { kOther, kDifference, kNumber } from = From::kOther;
    std::uint64_t a = 0, b = 0;
    std::int64_t bits = 64;
};

inline std::uint64_t cut(std::uint64_t value, std::int64_t bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

inline std::int64_t extended(std::uint64_t value, std::int64_t bits) {
    const int shift = static_cast<int>(64 - bits);
    return static_cast<std::int64_t>(value << shift) >> shift;
}

// Integer state of a run: registers, flags and the words that the code itself has stored.
class State {
public:
    // `repeating`: every number that an array holds is the same, whatever it is. `chooses`: selections on unknown values
    // take one of their sides by chance, as jumps do; otherwise their results are unknown.
    State(const Code& code, const Start& start, bool repeating, bool chooses = false)
        : code_(code), start_(start), repeating_(repeating), chooses_(chooses) {
        reset();
    }

    void reset() {
        registers_.assign(static_cast<std::size_t>(start_.count), Value{});
        for (const auto& [number, value] : start_.registers) at(number) = {static_cast<std::uint64_t>(value), true};
        words_.clear(), given_.clear(), lines_.reset();
        for (const auto& [address, value] : start_.memory) {
            given_[address] = static_cast<std::uint64_t>(value);
            lines_.set(line(static_cast<std::uint64_t>(address)));
        }
        series_ = start_.series;
        flags_ = {};
        chance_ = 1;
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
            if (number == start_.flags) flags_.known = flags_.chosen = false;
            else if (number != start_.stack) at(number) = guess(32, 0);
        }
    }

    // Executes the instruction; true if a jump is taken.
    bool run(const Instruction& one, std::uint64_t place, std::uint64_t& chance);

    // Whether an address, and so the place of an access, is known.
    bool knows(const Address& from) const {
        return (from.base < 0 || at(from.base).known) && (from.index < 0 || at(from.index).known);
    }
    // Whether an address that is not known lies in a known object.
    bool is_inside(const Address& from) const {
        if (knows(from)) return false;
        return (from.base >= 0 && is_located(at(from.base))) || (from.index >= 0 && is_located(at(from.index)));
    }
    // The flags that the condition of an instruction is about: those of the state, or those of its own operand.
    Flags flags_for(const Instruction& one) const {
        return one.op == Op::kJumpOn ? of_number(at(one.a).bits, one.bits, at(one.a).known) : flags_;
    }
    static bool decides(const Flags& flags, Condition condition) {
        return flags.known && condition != Condition::kOther && condition != Condition::kNotOther;
    }
    static bool holds(const Flags& flags, Condition condition);
    const Value& value(std::int64_t number) const { return at(number); }
    void set(std::int64_t number, Value value) { at(number) = value; }
    void push_return() { at(start_.stack).bits -= static_cast<std::uint64_t>(start_.pushed); }
    void pop_return() { at(start_.stack).bits += static_cast<std::uint64_t>(start_.pushed); }
    Value operand(const Instruction& one, std::int64_t which, std::uint64_t place) const {
        return read(one, which, place);
    }
    std::unordered_map<std::int64_t, std::uint64_t>& words() { return words_; }
    void store_word(std::uint64_t place, std::uint64_t value) {
        words_[static_cast<std::int64_t>(place)] = value;
        lines_.set(line(place));
    }
    void forget_word(std::uint64_t place) {
        if (const Series* changed = series_at(place)) series_.erase(series_.begin() + (changed - series_.data()));
        if (!may_hold(place)) return;
        words_.erase(static_cast<std::int64_t>(place)), given_.erase(static_cast<std::int64_t>(place));
    }
    // Whether words may be stored at an address: cheap, and false for most of those where none is.
    bool may_hold(std::uint64_t place) const { return lines_.test(line(place)); }

private:
    const Value& at(std::int64_t number) const { return registers_[static_cast<std::size_t>(number)]; }
    Value& at(std::int64_t number) { return registers_[static_cast<std::size_t>(number)]; }

    Value read(const Instruction& one, std::int64_t operand, std::uint64_t place) const {
        if (operand == kConstant) return {static_cast<std::uint64_t>(one.constant), true};
        if (operand == kMemory) {
            const bool extends = one.op == Op::kSignExtend || one.op == Op::kZeroExtend;
            const std::int64_t bits = extends ? one.constant : one.bits;
            Value value = knows(one.address) ? word(place) : Value{};
            if (!value.known && knows(one.address)) value = element(place, bits);
            return value.known ? value : guess(bits, place);
        }
        return operand >= 0 ? at(operand) : Value{};
    }

    // A number that is not known: a chance index, or, of 64 bits, the chance address of an allocation. Where numbers
    // repeat, those of an object are one.
    Value guess(std::int64_t bits, std::uint64_t place) const {
        chance_ = (repeating_ ? place / kReach : chance_) * 6364136223846793005U + 1442695040888963407U;
        return {bits >= 64 ? chance_ >> 20 & (kNoAddress - 16) : chance_ >> 49, false};
    }

    Value word(std::uint64_t place) const {
        if (!may_hold(place)) return {};
        const auto address = static_cast<std::int64_t>(place);
        if (const auto found = words_.find(address); found != words_.end()) return {found->second, true};
        const auto found = given_.find(address);
        return found == given_.end() ? Value{} : Value{found->second, true};
    }

    const Series* series_at(std::uint64_t place) const {
        const auto address = static_cast<std::int64_t>(place);
        for (const Series& one : series_)
            if (address >= one.first && address < one.last) return &one;
        return nullptr;
    }

    // An element of an array whose elements follow a series, read as it is.
    Value element(std::uint64_t place, std::int64_t bits) const {
        const Series* array = series_at(place);
        if (array == nullptr || array->bytes * 8 != bits) return {};
        const std::uint64_t offset =
            place - static_cast<std::uint64_t>(array->first);  // what is inside is not before it
        const auto bytes = static_cast<std::uint64_t>(array->bytes), step = static_cast<std::uint64_t>(array->step);
        if (offset % bytes != 0) return {};
        return {cut(static_cast<std::uint64_t>(array->value) + offset / bytes * step, bits), true};
    }

    void write(const Instruction& one, Value value, std::uint64_t place) {
        value.bits = cut(value.bits, one.bits);
        value.inside = value.inside && one.bits == 64;
        if (one.to >= 0) {
            // Writes of 8 and 16 bits keep the rest of the register; those of 32 clear it.
            if (one.bits < 32) value.bits |= at(one.to).bits & ~((std::uint64_t{1} << one.bits) - 1);
            at(one.to) = value;
        } else if (one.to == kMemory) {
            if (value.known) store_word(place, value.bits);
            else forget_word(place);
        }
    }

    static Flags of_number(std::uint64_t number, std::int64_t bits, bool known) {
        return {known,
                cut(number, bits) == 0,
                extended(cut(number, bits), bits) < 0,
                false,
                false,
                false,
                false,
                Flags::From::kNumber,
                cut(number, bits),
                0,
                bits};
    }

    void mark(std::uint64_t result, std::int64_t bits, bool known) { flags_ = of_number(result, bits, known); }

    void mark_difference(std::uint64_t a, std::uint64_t b, std::int64_t bits, bool known) {
        a = cut(a, bits), b = cut(b, bits);
        mark(a - b, bits, known);
        flags_.carry = a < b;
        const bool signs = (extended(a, bits) < 0) != (extended(b, bits) < 0);
        flags_.overflow = signs && flags_.negative != (extended(a, bits) < 0);
        flags_.from = Flags::From::kDifference, flags_.a = a, flags_.b = b;
    }

    // Different objects do not overlap, wherever in them two addresses are.
    void compare(const Value& a, const Value& b, std::int64_t bits) {
        mark_difference(a.bits, b.bits, bits, a.known && b.known);
        const bool fine = (a.inside || b.inside) && (a.inside || a.known) && (b.inside || b.known);
        const std::uint64_t apart = a.bits - b.bits;
        if (fine && bits == 64 && apart >= kReach && 0 - apart >= kReach) flags_.known = flags_.apart = true;
    }

    // Whether the condition of a selection is decided, by what is known or by chance.
    bool settles(Condition condition, std::uint64_t& chance);
    void arithmetic(const Instruction& one, std::uint64_t place);
    void stack(const Instruction& one);
    void compare_if(const Instruction& one, Value a, Value b);
    void divide(const Instruction& one, Value a, Value b, std::uint64_t place);

    const Code& code_;
    const Start& start_;
    std::vector<Value> registers_;
    static constexpr std::size_t kLines = 1 << 14;
    static std::size_t line(std::uint64_t place) { return (place >> 5 ^ place >> 19) % kLines; }
    std::unordered_map<std::int64_t, std::uint64_t> words_, given_;  // stored by the code itself, and before the call
    std::bitset<kLines> lines_;                                      // of 32 bytes, by hash, in which words were stored
    std::vector<Series> series_;                                     // known arrays that nothing unknown was stored in
    Flags flags_;
    mutable std::uint64_t chance_ = 1;  // of guesses
    bool repeating_, chooses_;
};

}  // namespace foretell::ooo_core
