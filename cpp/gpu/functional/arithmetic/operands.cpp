// Operands of the functional core: reads and writes with a known bit per lane.
#include <cstring>
#include <utility>

#include "gpu/functional/arithmetic/alu.hpp"

namespace foretell::functional {

Value Alu::constant(int bank, const Value& offset) const {
    Value result;
    const auto found = launch_.constants.find(bank);
    result.known = found == launch_.constants.end() ? 0 : offset.known;
    for (int lane = 0; lane < lanes && result.known != 0; ++lane) {
        const std::size_t at = offset.v[lane];
        if (at + 4 <= found->second.size()) std::memcpy(&result.v[lane], found->second.data() + at, 4);
        else result.known &= ~(Mask{1} << lane);
    }
    return result;
}

Word Alu::constant(int bank, std::uint64_t at) const {
    const auto found = launch_.constants.find(bank);
    if (found == launch_.constants.end() || at + 4 > found->second.size()) return {};
    Word result{0, true};
    std::memcpy(&result.value, found->second.data() + at, 4);
    return result;
}

// One or two uniform registers, and whether they are known; those that do not exist are zero.
std::pair<std::uint64_t, bool> Alu::uniform(int index, bool wide) const {
    const auto word = [&](int at) { return at < uniform_registers ? warp_.ur[at] : Word{0, true}; };
    const Word low = word(index), high = wide ? word(index + 1) : Word{0, true};
    return {std::uint64_t{high.value} << 32 | low.value, low.known && high.known};
}

Value Alu::raw(const Operand& o) const {
    switch (o.kind) {
        case Kind::reg: return o.index < 0 || o.index >= static_cast<int>(warp_.r.size()) ? Value{} : warp_.r[o.index];
        case Kind::ureg:
            if (o.index < 0 || o.index >= uniform_registers) return Value{};
            return broadcast(warp_.ur[o.index]);
        case Kind::immediate: return broadcast(static_cast<std::uint32_t>(o.value));
        case Kind::real: return broadcast(std::bit_cast<std::uint32_t>(static_cast<float>(o.real)));
        case Kind::constant: {
            if (o.index < 0 && o.uniform < 0)
                return broadcast(constant(o.bank, std::uint64_t{static_cast<std::uint32_t>(o.value)}));
            Operand base;
            base.kind = o.index >= 0 ? Kind::reg : Kind::ureg;
            base.index = o.index >= 0 ? o.index : o.uniform;
            Value offset = raw(base);
            for (std::uint32_t& v : offset.v) v += static_cast<std::uint32_t>(o.value);
            return constant(o.bank, offset);
        }
        default: return Value{{}, 0};
    }
}

Value Alu::read(const Operand& o) const {
    Value result = raw(o);
    if (o.negated)
        for (std::uint32_t& v : result.v) v = 0u - v;
    if (o.inverted)
        for (std::uint32_t& v : result.v) v = ~v;
    return result;
}

const Value& Alu::view(const Operand& o, Copy& other) const {
    const bool plain = o.kind == Kind::reg && !o.negated && !o.inverted;
    if (plain && o.index >= 0 && o.index < static_cast<int>(warp_.r.size())) return warp_.r[o.index];
    if (o.literal < 0 || warp_.literals == nullptr) return other.of(read(o));
    Value& value = warp_.literals->values[o.literal];
    if (!std::exchange(warp_.literals->known[o.literal], true)) value = read(o);
    return value;
}

Wide Alu::read_wide(const Operand& o) const {
    if (o.kind == Kind::immediate) return lanewise<Wide>(all_lanes, [&](int) { return o.value; });
    if (o.kind == Kind::real)
        return lanewise<Wide>(all_lanes, [&](int) { return std::bit_cast<std::uint64_t>(o.real); });
    Operand second = o;
    if (o.kind == Kind::constant) second.value += 4;
    else if (o.index >= 0) second.index += 1;
    Operand first = o;
    first.literal = second.literal = -1;
    first.negated = first.inverted = second.negated = second.inverted = false;
    Copy others[2];
    const Value &low = view(first, others[0]), &high = view(second, others[1]);
    return lanewise<Wide>(low.known & high.known,
                          [&](int lane) { return std::uint64_t{high.v[lane]} << 32 | low.v[lane]; });
}

Truth Alu::read_truth(const Operand& o) const {
    Truth result{all_lanes, all_lanes};
    if (o.kind == Kind::pred && o.index >= 0) result = warp_.p[o.index];
    if (o.kind == Kind::upred && o.index >= 0) result = warp_.up[o.index];
    if (o.inverted) result.v = ~result.v;
    return result;
}

// [R2.64+UR4+0x10]: sum of the registers present and the displacement.
Wide Alu::address(const Operand& o) const {
    std::uint64_t offset = static_cast<std::uint64_t>(o.value);
    Mask known = all_lanes;
    if (o.uniform >= 0) {
        const auto [base, is_known] = uniform(o.uniform, o.wide_uniform);
        offset += base;
        if (!is_known) known = 0;
    }
    static const Value zero;
    const auto word = [&](int index) -> const Value& {
        return index < static_cast<int>(warp_.r.size()) ? warp_.r[index] : zero;
    };
    if (o.index < 0) return lanewise<Wide>(known, [&](int) { return offset; });
    const Value& low = word(o.index);
    if (!o.wide)
        return lanewise<Wide>(known & low.known,
                              [&](int lane) { return std::uint64_t{low.v[lane]} * o.scale + offset; });
    const Value& high = word(o.index + 1);
    return lanewise<Wide>(known & low.known & high.known,
                          [&](int lane) { return (std::uint64_t{high.v[lane]} << 32 | low.v[lane]) + offset; });
}

void Alu::write_register(int index, const Value& value) {
    Value& target = warp_.r[index];
    if (executed_ == all_lanes) target.v = value.v;
    else each(executed_, [&](int lane) { target.v[lane] = value.v[lane]; });
    target.known = (target.known & ~executed_) | (value.known & certain_ & executed_);
}

void Alu::write_uniform(int index, const Value& value) {
    const int lane = std::countr_zero(executed_);
    warp_.ur[index] = {value.v[lane], ((value.known & certain_) >> lane & 1) != 0};
}

void Alu::write(const Operand& o, const Value& value) {
    if (o.index < 0) return;
    if (o.kind == Kind::reg && o.index < static_cast<int>(warp_.r.size())) write_register(o.index, value);
    if (o.kind == Kind::ureg && o.index < uniform_registers) write_uniform(o.index, value);
}

void Alu::write_wide(const Operand& o, const Wide& value) {
    Operand second = o;
    if (o.index >= 0) second.index += 1;
    write(o, lanewise(value.known, [&](int lane) { return value.v[lane]; }));
    write(second, lanewise(value.known, [&](int lane) { return value.v[lane] >> 32; }));
}

void Alu::write_truth(const Operand& o, const Truth& value) {
    if (o.index < 0 || (o.kind != Kind::pred && o.kind != Kind::upred)) return;
    const Mask known = value.known & certain_;
    if (o.kind == Kind::upred) {  // common to the warp
        const int lane = std::countr_zero(executed_);
        warp_.up[o.index] = {value.v >> lane & 1 ? all_lanes : 0, known >> lane & 1 ? all_lanes : 0};
    } else {
        Truth& target = warp_.p[o.index];
        target.v = (target.v & ~executed_) | (value.v & executed_);
        target.known = (target.known & ~executed_) | (known & executed_);
    }
}

bool Alu::forgets(const Decoded& d) {
    if (!d.strict) return false;
    const Operands& o = d.source->operands;
    for (std::size_t k = d.source->destinations; k < o.size(); ++k) {
        const Operand& source = o[k];
        if (source.index < 0) continue;
        if ((source.kind == Kind::reg && (warp_.r[source.index].known & executed_) == 0) ||
            (source.kind == Kind::ureg && !warp_.ur[source.index].known)) {
            forget(*d.source);
            return true;
        }
    }
    return false;
}

void Alu::forget(const Instruction& instruction) {
    for (const int index : instruction.written) warp_.r[index].known &= ~executed_;
    for (const int index : instruction.written_uniform) warp_.ur[index].known = false;
    for (const int index : instruction.written_predicates) warp_.p[index].known &= ~executed_;
    for (const int index : instruction.written_uniform_predicates) warp_.up[index].known = 0;
}

}  // namespace foretell::functional
