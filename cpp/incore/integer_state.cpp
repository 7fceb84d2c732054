#include "incore/integer_state.hpp"

#include <algorithm>
#include <bit>

namespace foretell::ooo_core {

namespace {

// Bits that a sign or zero extension keeps. They are the text's, which may name more than a register has, or none.
std::int64_t width_of_field(const Instruction& one) { return std::clamp<std::int64_t>(one.constant, 1, 64); }

}  // namespace

bool State::holds(const Flags& flags, Condition condition) {
    const auto number = static_cast<std::int64_t>(condition);
    bool found = false;
    switch (static_cast<Condition>(number & ~std::int64_t{1})) {
        case Condition::kEqual: found = flags.zero; break;
        case Condition::kLess: found = flags.negative != flags.overflow; break;
        case Condition::kLessEqual: found = flags.zero || flags.negative != flags.overflow; break;
        case Condition::kBelow: found = flags.carry; break;
        case Condition::kBelowEqual: found = flags.carry || flags.zero; break;
        case Condition::kNegative: found = flags.negative; break;
        default: break;
    }
    return found != ((number & 1) != 0);
}

void State::arithmetic(const Instruction& one, std::uint64_t place) {
    const Value a = read(one, one.a, place), b = read(one, one.b, place);
    Value result{0, a.known && b.known};
    if (one.op == Op::kAdd || one.op == Op::kSub) result.inside = !result.known && (is_located(a) || is_located(b));
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
        case Op::kBextr: {  // `b`: first bit, and in its second byte the number of bits
            const std::uint64_t first = b.bits & 255;
            const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(b.bits >> 8 & 255, 64));
            result.bits = first < 64 ? cut(cut(a.bits, one.bits) >> first, length) : 0;
            break;
        }
        case Op::kBzhi:
            result.bits = cut(a.bits, static_cast<std::int64_t>(std::min<std::uint64_t>(b.bits & 255, 64)));
            break;
        default: break;
    }
    write(one, result, place);
    if (!one.sets_flags) return;
    if (one.op == Op::kSub) compare(a, b, one.bits);
    else mark(result.bits, one.bits, result.known);
    if (one.op == Op::kAdd) flags_.carry = cut(result.bits, one.bits) < cut(a.bits, one.bits);
}

void State::stack(const Instruction& one) {
    Value& top = at(start_.stack);
    if (one.op == Op::kPush) {
        top.bits -= 8;
        const Value value = read(one, one.a, top.bits);
        if (value.known) store_word(top.bits, value.bits);
        else forget_word(top.bits);
    } else {
        const Value value = word(top.bits);
        top.bits += 8;
        if (one.to >= 0) at(one.to) = value;
    }
}

// Compares if the condition holds; else the flags are those in `constant`: carry (borrow), overflow, zero, negative from
// the lowest bit on.
void State::compare_if(const Instruction& one, Value a, Value b) {
    if (!decides(flags_, one.condition)) {
        flags_.known = flags_.chosen = false;
    } else if (holds(flags_, one.condition)) {
        mark_difference(a.bits, b.bits, one.bits, a.known && b.known);
    } else {
        flags_ = {};
        flags_.known = true, flags_.carry = (one.constant & 1) != 0, flags_.overflow = (one.constant & 2) != 0;
        flags_.zero = (one.constant & 4) != 0, flags_.negative = (one.constant & 8) != 0;
    }
}

// Quotient without remainder; that by zero is zero (AArch64).
void State::divide(const Instruction& one, Value a, Value b, std::uint64_t place) {
    const std::uint64_t up = cut(a.bits, one.bits), down = cut(b.bits, one.bits);
    std::uint64_t quotient = 0;
    if (down != 0 && one.op == Op::kQuotientUnsigned) quotient = up / down;
    else if (const std::int64_t by = extended(down, one.bits); by == -1) quotient = 0 - up;  // no overflow trap
    else if (by != 0) quotient = static_cast<std::uint64_t>(extended(up, one.bits) / by);
    write(one, {quotient, a.known && b.known}, place);
}

// The next number of a sequence by chance.
static std::uint64_t draw(std::uint64_t& chance) {
    return chance = chance * 6364136223846793005U + 1442695040888963407U;
}

// Flags of unknown values are drawn once, so that all selections and jumps behind a comparison agree.
bool State::settles(Condition condition, std::uint64_t& chance) {
    if (decides(flags_, condition)) return true;
    if (!chooses_ || condition == Condition::kOther || condition == Condition::kNotOther) return false;
    if (!flags_.chosen) {
        const auto kind = static_cast<Condition>(static_cast<std::int64_t>(condition) & ~std::int64_t{1});
        const bool some = (draw(chance) >> 63) != 0, equal = kind == Condition::kEqual && some;
        flags_ = {};
        flags_.chosen = true, flags_.zero = equal;
        flags_.negative = flags_.carry = kind != Condition::kEqual && some;
    }
    return true;
}

bool State::run(const Instruction& one, std::uint64_t place, std::uint64_t& chance) {
    const Value a = one.op == Op::kNone ? Value{} : read(one, one.a, place);
    switch (one.op) {
        case Op::kNone: forget(one); break;
        case Op::kMove: write(one, a, place); break;
        case Op::kAddress: write(one, {place, knows(one.address), is_inside(one.address)}, place); break;
        case Op::kSignExtend:
            write(one, {static_cast<std::uint64_t>(extended(a.bits, width_of_field(one))), a.known}, place);
            break;
        case Op::kZeroExtend: write(one, {cut(a.bits, width_of_field(one)), a.known}, place); break;
        case Op::kNeg:
            write(one, {0 - a.bits, a.known}, place);
            if (one.sets_flags) mark_difference(0, a.bits, one.bits, a.known);
            break;
        case Op::kNot: write(one, {~a.bits, a.known}, place); break;
        case Op::kCompare: {
            const Value b = read(one, one.b, place);
            compare(a, b, one.bits);
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
            write(
                one,
                {fine ? static_cast<std::uint64_t>(up / down) : 0 - static_cast<std::uint64_t>(up), fine || down == -1},
                place);
            break;
        }
        case Op::kQuotient:
        case Op::kQuotientUnsigned: divide(one, a, read(one, one.b, place), place); break;
        case Op::kCompareIf: compare_if(one, a, read(one, one.b, place)); break;
        case Op::kSign: write(one, {extended(a.bits, one.bits) < 0 ? ~std::uint64_t{0} : 0, a.known}, place); break;
        case Op::kLeave: {
            if (one.to < 0) break;
            Value& top = at(start_.stack);
            const Value frame = at(one.to);
            top.bits = frame.bits + 8, at(one.to) = word(frame.bits);
            break;
        }
        case Op::kMulHigh:
        case Op::kMulHighSigned: {  // both halves of a product: low to `to`, high to register `constant`
            const Value b = read(one, one.b, place);
            const bool is_signed = one.op == Op::kMulHighSigned;
            const auto wide = [&](std::uint64_t x) -> __int128 {
                return is_signed ? static_cast<__int128>(extended(cut(x, one.bits), one.bits))
                                 : static_cast<__int128>(cut(x, one.bits));
            };
            const auto product =
                static_cast<unsigned __int128>(wide(a.bits)) * static_cast<unsigned __int128>(wide(b.bits));
            write(one, {static_cast<std::uint64_t>(product), a.known && b.known}, place);  // mulx: both to one register
            at(one.constant) = {cut(static_cast<std::uint64_t>(product >> one.bits), one.bits), a.known && b.known};
            if (one.sets_flags) flags_.known = flags_.chosen = false;
            break;
        }
        case Op::kBsr:
        case Op::kBsf:
        case Op::kTzcnt:
        case Op::kLzcnt:
        case Op::kPopcnt: {
            const std::uint64_t x = cut(a.bits, one.bits);
            const auto leading = static_cast<std::uint64_t>(std::countl_zero(x)) - (64 - one.bits);
            const std::uint64_t found = one.op == Op::kPopcnt  ? static_cast<std::uint64_t>(std::popcount(x))
                                        : one.op == Op::kLzcnt ? leading
                                        : one.op == Op::kBsr   ? one.bits - 1 - leading
                                        : x == 0               ? one.bits
                                                               : static_cast<std::uint64_t>(std::countr_zero(x));
            write(one, {found, a.known}, place);
            if (one.sets_flags) flags_ = {}, flags_.known = a.known, flags_.zero = x == 0;
            break;
        }
        case Op::kSelect:
            if (one.to < 0) break;  // an instruction that no processor has
            if (!settles(one.condition, chance)) at(one.to) = guess(32, 0);
            else if (holds(flags_, one.condition)) write(one, a, place);
            else if (one.b != kNowhere) write(one, read(one, one.b, place), place);
            else if (one.bits == 32) at(one.to).bits = cut(at(one.to).bits, 32);
            break;
        case Op::kSet: {
            const bool settled = settles(one.condition, chance);
            write(one, {holds(flags_, one.condition), settled}, place);
            break;
        }
        case Op::kPush:
        case Op::kPop: stack(one); break;
        case Op::kJump: return true;
        case Op::kReturn:
        case Op::kCall: return false;
        case Op::kJumpIf:
        case Op::kJumpOn:
            if (const Flags flags = flags_for(one); decides(flags, one.condition) || flags.chosen)
                return holds(flags, one.condition);
            if (one.chance == kNever || one.chance == kAlways) return one.chance == kAlways;
            draw(chance);
            if (one.chance == 0) return (chance >> 63) != 0;
            return (chance >> 33) % (kAlways - kNever) < static_cast<std::uint64_t>(one.chance - kNever);
        default: arithmetic(one, place); break;
    }
    return false;
}

}  // namespace foretell::ooo_core
