#include "gpu/functional/alu.hpp"

#include <algorithm>

namespace foretell::functional {
namespace {

// Known if the outcome does not depend on unknown values.
Truth combine(const Truth& a, const Truth& b, char how) {
    if (how == '^') return {a.v ^ b.v, a.known & b.known};
    if (how == '|') return {a.v | b.v, (a.known & b.known) | (a.v & a.known) | (b.v & b.known)};
    return {a.v & b.v, (a.known & b.known) | (~a.v & a.known) | (~b.v & b.known)};
}

}  // namespace

// ------------------------------------------------------------------------------------------- integers

bool Alu::imad(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 3) return false;
    const Value a = read(o[n]), b = read(o[n + 1]);
    const auto product = [&](int lane) {
        return d.is_unsigned
                   ? static_cast<std::uint64_t>(a.v[lane]) * b.v[lane]
                   : static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a.v[lane])) *
                                                static_cast<std::int32_t>(b.v[lane]));
    };
    if (n > 1) write_truth(o[1], {0, 0});
    if (d.wide || d.high) {
        const Wide c = read_wide(o[n + 2]);
        Wide result;
        result.known = a.known & b.known & c.known;
        for (int lane = 0; lane < lanes; ++lane) {
            const std::uint64_t addend = o[n + 2].negated ? 0 - c.v[lane] : o[n + 2].inverted ? ~c.v[lane] : c.v[lane];
            result.v[lane] = product(lane) + addend;
        }
        if (d.wide) {
            write_wide(o[0], result);
        } else {
            Value high;
            high.known = result.known;
            for (int lane = 0; lane < lanes; ++lane) high.v[lane] = static_cast<std::uint32_t>(result.v[lane] >> 32);
            write(o[0], high);
        }
        return true;
    }
    const Value c = read(o[n + 2]);
    const Truth carry = d.carry_in && o.size() > n + 3 ? read_truth(o[n + 3]) : Truth{0, all_lanes};
    Value result;
    result.known = a.known & b.known & c.known & carry.known;
    for (int lane = 0; lane < lanes; ++lane) result.v[lane] = a.v[lane] * b.v[lane] + c.v[lane] + (carry.v >> lane & 1);
    write(o[0], result);
    return true;
}

bool Alu::iadd3(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    Wide sum;
    std::size_t at = n;
    for (; at < o.size() && o[at].kind != Kind::pred && o[at].kind != Kind::upred; ++at) {
        const Value term = raw(o[at]);
        sum.known &= term.known;
        for (int lane = 0; lane < lanes; ++lane) {
            const std::uint32_t v = term.v[lane];
            sum.v[lane] += o[at].negated ? static_cast<std::uint64_t>(~v) + 1 : o[at].inverted ? ~v : v;
        }
    }
    for (; d.carry_in && at < o.size(); ++at) {
        const Truth carry = read_truth(o[at]);
        sum.known &= carry.known;
        for (int lane = 0; lane < lanes; ++lane) sum.v[lane] += carry.v >> lane & 1;
    }
    Value result;
    Truth carries[2] = {{0, sum.known}, {0, sum.known}};
    result.known = sum.known;
    for (int lane = 0; lane < lanes; ++lane) {
        result.v[lane] = static_cast<std::uint32_t>(sum.v[lane]);
        const std::uint64_t over = sum.v[lane] >> 32;
        carries[0].v |= static_cast<Mask>(over >= 1) << lane;
        carries[1].v |= static_cast<Mask>(over >= 2) << lane;
    }
    for (std::size_t k = 1; k < n && k < 3; ++k) write_truth(o[k], carries[k - 1]);
    write(o[0], result);
    return true;
}

bool Alu::iadd64(const Decoded& d) {
    const auto& o = d.source->operands;
    Wide sum;
    for (std::size_t at = d.source->destinations; at < o.size(); ++at) {
        if (o[at].kind == Kind::pred || o[at].kind == Kind::upred) continue;
        const Wide term = read_wide(o[at]);
        sum.known &= term.known;
        for (int lane = 0; lane < lanes; ++lane) sum.v[lane] += o[at].negated ? 0 - term.v[lane] : term.v[lane];
    }
    for (int k = 1; k < d.source->destinations; ++k) write_truth(o[k], {0, 0});
    write_wide(o[0], sum);
    return true;
}

bool Alu::lea(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    const bool has_high = d.high && !d.sign_extend_a;
    const std::size_t shift_at = n + 2 + (has_high ? 1 : 0);
    if (o.size() <= shift_at || o[shift_at].kind != Kind::immediate) return false;
    const Value a = read(o[n]), b = read(o[n + 1]);
    const Value c = has_high ? read(o[n + 2]) : Value{};
    const unsigned shift = static_cast<unsigned>(o[shift_at].value) & 31;
    const Truth carry = d.carry_in && o.size() > shift_at + 1 ? read_truth(o[shift_at + 1]) : Truth{0, all_lanes};
    Value result;
    Truth over;
    result.known = over.known = a.known & b.known & c.known & carry.known;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t upper = d.sign_extend_a ? (a.v[lane] >> 31 ? ~0u : 0u) : c.v[lane];
        const std::uint64_t pair = (static_cast<std::uint64_t>(upper) << 32 | a.v[lane]) << shift;
        const std::uint32_t part = static_cast<std::uint32_t>(d.high ? pair >> 32 : pair);
        const std::uint64_t sum = static_cast<std::uint64_t>(part) + b.v[lane] + (carry.v >> lane & 1);
        result.v[lane] = static_cast<std::uint32_t>(sum);
        over.v |= static_cast<Mask>(sum >> 32) << lane;
    }
    if (n > 1) write_truth(o[1], over);
    write(o[0], result);
    return true;
}

bool Alu::shf(const Decoded& d) {  // the 64-bit value (third:first), shifted by the second
    const auto& o = d.source->operands;
    if (o.size() < 4) return false;
    const Value low = read(o[1]), by = read(o[2]), high = read(o[3]);
    const bool is_signed = !d.is_unsigned;
    const std::uint32_t widest = d.is_64 ? 63 : 32;
    Value result;
    result.known = low.known & by.known & high.known;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint64_t pair = static_cast<std::uint64_t>(high.v[lane]) << 32 | low.v[lane];
        const std::uint32_t shift = d.wrap ? by.v[lane] & (d.is_64 ? 63 : 31) : std::min(by.v[lane], widest);
        std::uint64_t moved;
        if (d.left) moved = pair << shift;
        else if (is_signed) moved = static_cast<std::uint64_t>(static_cast<std::int64_t>(pair) >> shift);
        else moved = pair >> shift;
        result.v[lane] = static_cast<std::uint32_t>(d.high ? moved >> 32 : moved);
    }
    write(o[0], result);
    return true;
}

bool Alu::lop3(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 4 || o[n + 3].kind != Kind::immediate) return false;
    const Value a = read(o[n]), b = read(o[n + 1]), c = read(o[n + 2]);
    const std::uint32_t table = static_cast<std::uint32_t>(o[n + 3].value);
    Value result;
    Truth any;
    result.known = any.known = a.known & b.known & c.known;
    for (int row = 0; row < 8; ++row) {
        if (!(table >> row & 1)) continue;
        const std::uint32_t x = row & 4 ? 0 : ~0u, y = row & 2 ? 0 : ~0u, z = row & 1 ? 0 : ~0u;
        for (int lane = 0; lane < lanes; ++lane) result.v[lane] |= (a.v[lane] ^ x) & (b.v[lane] ^ y) & (c.v[lane] ^ z);
    }
    for (int lane = 0; lane < lanes; ++lane) any.v |= static_cast<Mask>(result.v[lane] != 0) << lane;
    for (std::size_t k = 0; k < n; ++k) {
        write_truth(o[k], any);
        write(o[k], result);
    }
    return true;
}

bool Alu::plop3(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 4) return false;
    const Truth inputs[3] = {read_truth(o[n]), read_truth(o[n + 1]), read_truth(o[n + 2])};
    for (std::size_t k = 0; k < n && n + 3 + k < o.size(); ++k) {
        const std::uint32_t table = static_cast<std::uint32_t>(o[n + 3 + k].value);
        Mask can_be[2] = {0, 0};  // lanes in which the outcome may be false, and true
        for (int row = 0; row < 8; ++row) {
            Mask possible = all_lanes;
            for (int k2 = 0; k2 < 3; ++k2) {
                const Mask wanted = row >> (2 - k2) & 1 ? all_lanes : 0;
                possible &= ~inputs[k2].known | ~(inputs[k2].v ^ wanted);
            }
            can_be[table >> row & 1] |= possible;
        }
        const Truth result{can_be[1], can_be[0] ^ can_be[1]};
        write_truth(o[k], result);
    }
    return true;
}

bool Alu::prmt(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 4 || !d.source->modifiers.empty()) return false;
    const Value a = read(o[1]), selector = read(o[2]), b = read(o[3]);
    Value result;
    result.known = a.known & selector.known & b.known;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(b.v[lane]) << 32 | a.v[lane];
        for (int k = 0; k < 4; ++k) {
            const std::uint32_t choice = selector.v[lane] >> (4 * k) & 15;
            std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (choice & 7))) & 255;
            if (choice & 8) byte = byte & 128 ? 255 : 0;
            result.v[lane] |= byte << (8 * k);
        }
    }
    write(o[0], result);
    return true;
}

bool Alu::isetp(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 3) return false;
    if (d.is_64) return isetp64(d);
    const Value a = read(o[n]), b = read(o[n + 1]);
    const Truth low = d.extended && o.size() > n + 3 ? read_truth(o[n + 3]) : Truth{all_lanes, all_lanes};
    Truth result;
    result.known = a.known & b.known & low.known;
    for (int lane = 0; lane < lanes; ++lane) {
        bool outcome;
        if (d.extended && a.v[lane] == b.v[lane]) outcome = low.v >> lane & 1;  // the lower words decide
        else if (d.is_unsigned) outcome = compared(d.compare, a.v[lane], b.v[lane]);
        else outcome = compared(d.compare, static_cast<std::int32_t>(a.v[lane]), static_cast<std::int32_t>(b.v[lane]));
        result.v |= static_cast<Mask>(outcome) << lane;
    }
    const Truth with = read_truth(o[n + 2]);
    write_truth(o[0], combine(result, with, d.combine));
    if (n > 1) write_truth(o[1], combine({~result.v, result.known}, with, d.combine));
    return true;
}

bool Alu::isetp64(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    const Wide a = read_wide(o[n]), b = read_wide(o[n + 1]);
    Truth result{0, a.known & b.known};
    for (int lane = 0; lane < lanes; ++lane) {
        const bool outcome = d.is_unsigned ? compared(d.compare, a.v[lane], b.v[lane])
                                           : compared(d.compare, static_cast<std::int64_t>(a.v[lane]),
                                                      static_cast<std::int64_t>(b.v[lane]));
        result.v |= static_cast<Mask>(outcome) << lane;
    }
    const Truth with = read_truth(o[n + 2]);
    write_truth(o[0], combine(result, with, d.combine));
    if (n > 1) write_truth(o[1], combine({~result.v, result.known}, with, d.combine));
    return true;
}

bool Alu::minmax(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t first = 1 + (d.op == Op::viaddmnmx ? 1 : 0);
    if (o.size() < first + 3 || o[0].kind == Kind::pred) return false;
    Value a = read(o[1]);
    const Value b = read(o[first + 1]);
    if (d.op == Op::viaddmnmx) {
        const Value addend = read(o[2]);
        a.known &= addend.known;
        for (int lane = 0; lane < lanes; ++lane) a.v[lane] += addend.v[lane];
    }
    const Truth smaller = read_truth(o[first + 2]);
    Value result;
    result.known = a.known & b.known & smaller.known;
    for (int lane = 0; lane < lanes; ++lane) {
        const bool less = d.is_unsigned ? a.v[lane] < b.v[lane]
                                        : static_cast<std::int32_t>(a.v[lane]) < static_cast<std::int32_t>(b.v[lane]);
        result.v[lane] = less == ((smaller.v >> lane & 1) != 0) ? a.v[lane] : b.v[lane];
    }
    write(o[0], result);
    return true;
}

bool Alu::unary(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 2) return false;
    const Value a = read(o[1]);
    const Value b = o.size() > 2 && o[2].kind != Kind::pred ? read(o[2]) : Value{};
    Value result;
    result.known = a.known & b.known;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t v = a.v[lane], w = std::min(b.v[lane], 32u);
        std::uint32_t out = v;
        if (d.op == Op::iabs) out = v >> 31 ? 0u - v : v;
        if (d.op == Op::popc) out = static_cast<std::uint32_t>(std::popcount(v));
        if (d.op == Op::flo) {
            const std::uint32_t from = !d.is_unsigned && v >> 31 ? ~v : v;
            const std::uint32_t top = static_cast<std::uint32_t>(std::countl_zero(from));
            out = from == 0 ? ~0u : d.shifted ? top : 31 - top;
        }
        if (d.op == Op::brev) {
            out = 0;
            for (int bit = 0; bit < 32; ++bit) out |= (v >> bit & 1) << (31 - bit);
        }
        if (d.op == Op::bmsk) out = v >= 32 ? 0 : static_cast<std::uint32_t>(((1ull << w) - 1) << v);
        if (d.op == Op::sgxt) {
            const std::uint32_t bits = w == 0 ? 0 : w == 32 ? v : v & ((1u << w) - 1);
            out = d.is_unsigned || w == 0 || w == 32 || !(bits >> (w - 1) & 1) ? bits : bits | ~((1u << w) - 1);
        }
        if (d.op == Op::shl) out = b.v[lane] > 31 ? 0 : v << b.v[lane];
        if (d.op == Op::shr)
            out = d.is_unsigned ? (b.v[lane] > 31 ? 0 : v >> b.v[lane])
                                : static_cast<std::uint32_t>(static_cast<std::int32_t>(v) >> std::min(b.v[lane], 31u));
        result.v[lane] = out;
    }
    write(o[0], result);
    return true;
}

// ------------------------------------------------------------------------------------------- moving between lanes

bool Alu::s2r(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 2 || o[1].kind != Kind::special || o[1].value == other) return false;
    Value result;
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t thread = warp_.first_thread + lane, x = launch_.block[0], y = launch_.block[1];
        const std::uint32_t own = 1u << lane, less = own - 1;
        const std::uint32_t values[] = {thread % x,
                                        thread / x % y,
                                        thread / x / y,
                                        block_.x,
                                        block_.y,
                                        block_.z,
                                        static_cast<std::uint32_t>(lane),
                                        0,
                                        own,
                                        less,
                                        own | less,
                                        ~(own | less),
                                        ~less,
                                        static_cast<std::uint32_t>(shared_window >> 32)};
        result.v[lane] = values[o[1].value];
    }
    write(o[0], result);
    if (d.op == Op::cs2r && d.source->written.size() + d.source->written_uniform.size() > 1) {
        Operand second = o[0];
        second.index += 1;
        write(second, Value{});
    }
    return true;
}

bool Alu::ldc(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 2 || o[1].kind != Kind::constant) return false;
    for (int word = 0; 4 * word < d.bytes; ++word) {
        Operand from = o[1], to = o[0];
        from.value += 4 * word;
        if (to.index >= 0) to.index += word;
        Value value = raw(from);
        for (std::uint32_t& lane : value.v) lane = narrowed(lane, d.bytes, d.is_signed_load);
        write(to, value);
    }
    return true;
}

bool Alu::r2ur(const Decoded& d) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    if (o.size() != n + 1 || n != 1) return false;
    write(o[0], read(o[1]));
    return true;
}

bool Alu::predicates_to_register(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 3 || !d.source->modifiers.empty()) return false;  // P2R R0,PR,RZ,0x7f, with or without PR
    const std::uint32_t mask = static_cast<std::uint32_t>(o[o.size() - 1].value);
    const Value rest = read(o[o.size() - 2]);
    Value result;
    result.known = rest.known;
    for (int lane = 0; lane < lanes; ++lane) result.v[lane] = rest.v[lane] & ~mask;
    for (int k = 0; k < 7; ++k) {
        if (!(mask >> k & 1)) continue;
        result.known &= warp_.p[k].known;
        for (int lane = 0; lane < lanes; ++lane) result.v[lane] |= (warp_.p[k].v >> lane & 1) << k;
    }
    write(o[0], result);
    return true;
}

bool Alu::register_to_predicates(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 2 || !d.source->modifiers.empty()) return false;  // R2P PR,R0,0x7f, with or without PR
    const Value from = read(o[o.size() - 2]);
    for (int k = 0; k < 7; ++k) {
        if (!(o[o.size() - 1].value >> k & 1)) continue;
        Truth bit{0, from.known};
        for (int lane = 0; lane < lanes; ++lane) bit.v |= (from.v[lane] >> k & 1) << lane;
        Operand to;
        to.kind = Kind::pred;
        to.index = k;
        write_truth(to, bit);
    }
    return true;
}

bool Alu::vote(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 2) return false;
    const Truth from = read_truth(o.back());
    const bool known = (executed_ & ~(from.known & certain_)) == 0;
    const Mask ballot = from.v & executed_;
    const bool outcome = d.mode == 1 ? ballot != 0 : ballot == executed_;
    Value bits = broadcast(ballot);
    bits.known = known ? all_lanes : 0;
    for (int k = 0; k < d.source->destinations; ++k) {
        write(o[k], bits);
        write_truth(o[k], {outcome ? all_lanes : 0, known ? all_lanes : 0});
    }
    return true;
}

// QSPC.E.S P0, RZ, [R2]: tests whether a generic address is in shared memory.
bool Alu::query_space(const Decoded& d) {
    const auto& o = d.source->operands;
    const auto& modifiers = d.source->modifiers;
    if (o.size() < 3 || o.back().kind != Kind::memory ||
        std::find(modifiers.begin(), modifiers.end(), "S") == modifiers.end())
        return false;
    const Wide where = address(o.back());
    Truth inside{0, where.known};
    for (int lane = 0; lane < lanes; ++lane)
        inside.v |= static_cast<Mask>(where.v[lane] >> 32 == shared_window >> 32) << lane;
    write_truth(o[0], inside);
    return true;
}

// USETMAXREG.TRY_ALLOC UP0, 0xe8 is retried until other warps have released registers: assumed to succeed at once.
bool Alu::take_registers(const Decoded& d) {
    for (int k = 0; k < d.source->destinations; ++k) write_truth(d.source->operands[k], {all_lanes, all_lanes});
    return true;
}

bool Alu::shfl(const Decoded& d) {
    const auto& o = d.source->operands;
    if (o.size() < 5) return false;
    const Value from = read(o[2]), by = read(o[3]), limits = read(o[4]);
    Value result;
    Truth inside{0, by.known & limits.known};
    result.known = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const int clamp = limits.v[lane] & 31, segment = limits.v[lane] >> 8 & 31, b = by.v[lane] & 31;
        const int last = (lane & segment) | (clamp & ~segment), first = lane & segment;
        int source = lane;
        bool valid = true;
        if (d.mode == 1) {
            source = lane - b;
            valid = source >= last;
        }
        if (d.mode == 2) {
            source = lane + b;
            valid = source <= last;
        }
        if (d.mode == 3) {
            source = lane ^ b;
            valid = source <= last;
        }
        if (d.mode == 0) {
            source = first | (b & ~segment);
            valid = source <= last;
        }
        if (!valid || source < 0 || source >= lanes) source = lane;
        result.v[lane] = from.v[source];
        const bool known = (from.known >> source & by.known >> lane & limits.known >> lane & 1) != 0;
        result.known |= static_cast<Mask>(known) << lane;
        inside.v |= static_cast<Mask>(valid) << lane;
    }
    write_truth(o[0], inside);
    write(o[1], result);
    return true;
}

// ------------------------------------------------------------------------------------------- dispatch

template <class T>  // a Value or a Wide
T chosen(const Truth& which, const T& a, const T& b) {
    T result;
    result.known = which.known & ((which.v & a.known) | (~which.v & b.known));
    for (int lane = 0; lane < lanes; ++lane) result.v[lane] = which.v >> lane & 1 ? a.v[lane] : b.v[lane];
    return result;
}

bool Alu::execute(const Decoded& d) {
    const auto& o = d.source->operands;
    switch (d.op) {
        case Op::mov:
            if (o.size() < 2) return false;
            if (d.is_64) write_wide(o[0], read_wide(o[1]));
            else write(o[0], read(o[1]));
            return true;
        case Op::imad: return imad(d);
        case Op::iadd3: return iadd3(d);
        case Op::iadd64: return iadd64(d);
        case Op::lea: return lea(d);
        case Op::shf: return shf(d);
        case Op::lop3: return lop3(d);
        case Op::plop3: return plop3(d);
        case Op::prmt: return prmt(d);
        case Op::sel:
            if (o.size() < 4) return false;
            if (d.is_64) write_wide(o[0], chosen(read_truth(o[3]), read_wide(o[1]), read_wide(o[2])));
            else write(o[0], chosen(read_truth(o[3]), read(o[1]), read(o[2])));
            return true;
        case Op::isetp: return isetp(d);
        case Op::imnmx:
        case Op::viaddmnmx: return minmax(d);
        case Op::iabs:
        case Op::popc:
        case Op::flo:
        case Op::brev:
        case Op::bmsk:
        case Op::sgxt:
        case Op::shl:
        case Op::shr: return unary(d);
        case Op::s2r:
        case Op::cs2r: return s2r(d);
        case Op::ldc: return ldc(d);
        case Op::r2ur: return r2ur(d);
        case Op::p2r: return predicates_to_register(d);
        case Op::r2p: return register_to_predicates(d);
        case Op::vote: return vote(d);
        case Op::query_space: return query_space(d);
        case Op::take_registers: return take_registers(d);
        case Op::shfl: return shfl(d);
        case Op::i2f:
        case Op::f2i: return convert(d);
        case Op::mufu:
        case Op::fadd:
        case Op::fmul:
        case Op::ffma:
        case Op::fmnmx: return floating(d);
        case Op::fsetp: return fsetp(d);
        case Op::dadd:
        case Op::dmul:
        case Op::dfma:
        case Op::dsetp: return real64(d);
        case Op::hfma2: return hfma2(d);
        case Op::fchk: return fchk(d);
        default: return false;
    }
}

}  // namespace foretell::functional
