#include "gpu/functional/arithmetic/alu.hpp"

#include <algorithm>
#include <type_traits>

#include "gpu/functional/arithmetic/integer_semantics.hpp"
#include "gpu/functional/convergence.hpp"

namespace foretell::functional {
namespace {

using namespace semantics;

// Known if the outcome does not depend on unknown values.
Truth combine(const Truth& a, const Truth& b, char how) {
    if (how == '^') return {a.v ^ b.v, a.known & b.known};
    if (how == '|') return {a.v | b.v, (a.known & b.known) | (a.v & a.known) | (b.v & b.known)};
    return {a.v & b.v, (a.known & b.known) | (~a.v & a.known) | (~b.v & b.known)};
}

bool is_predicate(const Operand& o) { return o.kind == Kind::pred || o.kind == Kind::upred; }

template <class Type, class Lanes>  // the kind of comparison is fixed in each loop, so that it has no branch
Truth comparison_of(Compare how, const Lanes& a, const Lanes& b) {
    const auto by = [&]<Compare fixed>(std::integral_constant<Compare, fixed>) {
        return truths(a.known & b.known, [&](int lane) {
            return compared(fixed, static_cast<Type>(a.v[lane]), static_cast<Type>(b.v[lane]));
        });
    };
    switch (how) {
        case Compare::lt: return by(std::integral_constant<Compare, Compare::lt>{});
        case Compare::eq: return by(std::integral_constant<Compare, Compare::eq>{});
        case Compare::le: return by(std::integral_constant<Compare, Compare::le>{});
        case Compare::gt: return by(std::integral_constant<Compare, Compare::gt>{});
        case Compare::ne: return by(std::integral_constant<Compare, Compare::ne>{});
        case Compare::ge: return by(std::integral_constant<Compare, Compare::ge>{});
        default: return truths(a.known & b.known, [&](int lane) { return compared(how, a.v[lane], b.v[lane]); });
    }
}

template <class Lanes>  // a Value or a Wide
Truth comparison(const Decoded& d, const Lanes& a, const Lanes& b) {
    using Unsigned = typename decltype(a.v)::value_type;
    return d.is_unsigned ? comparison_of<Unsigned>(d.compare, a, b)
                         : comparison_of<std::make_signed_t<Unsigned>>(d.compare, a, b);
}

template <class Lanes>
Lanes selected(const Truth& which, const Lanes& a, const Lanes& b) {
    return lanewise<Lanes>(which.known & ((which.v & a.known) | (~which.v & b.known)),
                           [&](int lane) { return which.v >> lane & 1 ? a.v[lane] : b.v[lane]; });
}

}  // namespace

// ------------------------------------------------------------------------------------------- integers

bool Alu::mov(const Decoded& d, const Operands& o) {
    if (o.size() < 2) return false;
    if (d.is_64) write_wide(o[0], read_wide(o[1]));
    else write(o[0], read(o[1]));
    return true;
}

bool Alu::sel(const Decoded& d, const Operands& o) {
    if (o.size() < 4) return false;
    if (d.is_64) write_wide(o[0], selected(read_truth(o[3]), read_wide(o[1]), read_wide(o[2])));
    else write(o[0], selected(read_truth(o[3]), read(o[1]), read(o[2])));
    return true;
}

bool Alu::imad(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 3) return false;
    Copy others[3];
    const Value &a = view(o[n], others[0]), &b = view(o[n + 1], others[1]);
    if (n > 1) write_truth(o[1], {0, 0});
    if (d.wide || d.high) {
        const Wide c = read_wide(o[n + 2]);
        const Wide result = lanewise<Wide>(a.known & b.known & c.known, [&](int lane) {
            return product(a.v[lane], b.v[lane], d.is_unsigned) + (o[n + 2].negated    ? 0 - c.v[lane]
                                                                   : o[n + 2].inverted ? ~c.v[lane]
                                                                                       : c.v[lane]);
        });
        if (d.wide) write_wide(o[0], result);
        else write(o[0], lanewise(result.known, [&](int lane) { return result.v[lane] >> 32; }));
        return true;
    }
    const Value& c = view(o[n + 2], others[2]);
    const Truth carry = d.carry_in && o.size() > n + 3 ? read_truth(o[n + 3]) : Truth{0, all_lanes};
    if (carry.v == 0 && carry.known == all_lanes) {
        write(o[0], lanewise(a.known & b.known & c.known, [&](int lane) { return a.v[lane] * b.v[lane] + c.v[lane]; }));
        return true;
    }
    write(o[0], lanewise(a.known & b.known & c.known & carry.known,
                         [&](int lane) { return a.v[lane] * b.v[lane] + c.v[lane] + (carry.v >> lane & 1); }));
    return true;
}

// A sum of which nobody wants the carry.
bool Alu::sum_of_words(const Decoded& d, const Operands& o) {
    Value sum;
    Copy other;
    for (std::size_t at = static_cast<std::size_t>(d.source->destinations); at < o.size() && !is_predicate(o[at]);
         ++at) {
        const Value& term = view(o[at], other);
        sum.known &= term.known;
        for (int lane = 0; lane < lanes; ++lane) sum.v[lane] += term.v[lane];
    }
    write(o[0], sum);
    return true;
}

bool Alu::iadd3(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (n == 1 && !d.carry_in) return sum_of_words(d, o);
    Wide sum;
    std::size_t at = n;
    for (; at < o.size() && !is_predicate(o[at]); ++at) {
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
    for (std::size_t k = 1; k < n && k < 3; ++k)
        write_truth(o[k], truths(sum.known, [&](int lane) { return sum.v[lane] >> 32 >= k; }));
    write(o[0], lanewise(sum.known, [&](int lane) { return sum.v[lane]; }));
    return true;
}

bool Alu::iadd64(const Decoded& d, const Operands& o) {
    Wide sum;
    for (std::size_t at = d.source->destinations; at < o.size(); ++at) {
        if (is_predicate(o[at])) continue;
        const Wide term = read_wide(o[at]);
        sum.known &= term.known;
        for (int lane = 0; lane < lanes; ++lane) sum.v[lane] += o[at].negated ? 0 - term.v[lane] : term.v[lane];
    }
    for (int k = 1; k < d.source->destinations; ++k) write_truth(o[k], {0, 0});
    write_wide(o[0], sum);
    return true;
}

bool Alu::lea(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    const bool has_high = d.high && !d.sign_extend_a;
    const std::size_t shift_at = n + 2 + (has_high ? 1 : 0);
    if (o.size() <= shift_at || o[shift_at].kind != Kind::immediate) return false;
    Copy others[3];
    const Value &a = view(o[n], others[0]), &b = view(o[n + 1], others[1]);
    const unsigned shift = static_cast<unsigned>(o[shift_at].value) & 31;
    if (n == 1 && !d.high && !d.carry_in && !d.sign_extend_a) {
        write(o[0], lanewise(a.known & b.known, [&](int lane) { return (a.v[lane] << shift) + b.v[lane]; }));
        return true;
    }
    static const Value zero;
    const Value& c = has_high ? view(o[n + 2], others[2]) : zero;
    const bool negated = o[n].negated && !d.high;  // as in sums, the complement plus one in 33 bits
    const Value plain = negated ? raw(o[n]) : Value{};
    const Truth carry = d.carry_in && o.size() > shift_at + 1 ? read_truth(o[shift_at + 1]) : Truth{0, all_lanes};
    const Wide sum = lanewise<Wide>(a.known & b.known & c.known & carry.known, [&](int lane) {
        const std::uint32_t upper = d.sign_extend_a ? (a.v[lane] >> 31 ? ~0u : 0u) : c.v[lane];
        const std::uint64_t term =
            negated ? std::uint64_t{~(plain.v[lane] << shift)} + 1 : shifted_part(upper, a.v[lane], shift, d.high);
        return term + b.v[lane] + (carry.v >> lane & 1);
    });
    if (n > 1) write_truth(o[1], truths(sum.known, [&](int lane) { return sum.v[lane] >> 32; }));
    write(o[0], lanewise(sum.known, [&](int lane) { return sum.v[lane]; }));
    return true;
}

bool Alu::shf(const Decoded& d, const Operands& o) {  // the 64-bit value (third:first), shifted by the second
    if (o.size() < 4) return false;
    Copy others[3];
    const Value &low = view(o[1], others[0]), &by = view(o[2], others[1]), &high = view(o[3], others[2]);
    const FunnelShift shift{d.left, d.wrap, d.is_unsigned, d.is_64, d.high};
    write(o[0], lanewise(low.known & by.known & high.known,
                         [&](int lane) { return shift(low.v[lane], by.v[lane], high.v[lane]); }));
    return true;
}

bool Alu::lop3(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 4 || o[n + 3].kind != Kind::immediate) return false;
    Copy others[3];
    const Value &a = view(o[n], others[0]), &b = view(o[n + 1], others[1]), &c = view(o[n + 2], others[2]);
    const std::uint32_t table = static_cast<std::uint32_t>(o[n + 3].value);
    const Logic logic(table);
    const Value result =
        lanewise(a.known & b.known & c.known, [&](int lane) { return logic(a.v[lane], b.v[lane], c.v[lane]); });
    const Truth any = truths(result.known, [&](int lane) { return result.v[lane] != 0; });
    for (std::size_t k = 0; k < n; ++k) {
        write_truth(o[k], any);
        write(o[k], result);
    }
    return true;
}

bool Alu::plop3(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 4) return false;
    const Truth inputs[3] = {read_truth(o[n]), read_truth(o[n + 1]), read_truth(o[n + 2])};
    for (std::size_t k = 0; k < n && n + 3 + k < o.size(); ++k) {
        const std::uint32_t table = static_cast<std::uint32_t>(o[n + 3 + k].value);
        Mask can_be[2] = {0, 0};  // lanes in which the outcome may be false, and true
        for (int row = 0; row < 8; ++row) {
            Mask possible = all_lanes;
            for (int input = 0; input < 3; ++input) {
                const Mask wanted = row >> (2 - input) & 1 ? all_lanes : 0;
                possible &= ~inputs[input].known | ~(inputs[input].v ^ wanted);
            }
            can_be[table >> row & 1] |= possible;
        }
        write_truth(o[k], {can_be[1], can_be[0] ^ can_be[1]});
    }
    return true;
}

bool Alu::prmt(const Decoded& d, const Operands& o) {
    if (o.size() < 4 || !d.source->modifiers.empty()) return false;
    const Value a = read(o[1]), selector = read(o[2]), b = read(o[3]);
    write(o[0], lanewise(a.known & selector.known & b.known,
                         [&](int lane) { return permuted(Permute::index, a.v[lane], selector.v[lane], b.v[lane]); }));
    return true;
}

// Writes the outcome of a comparison, and its opposite, combined with the last predicate.
void Alu::write_comparison(const Decoded& d, const Truth& result) {
    const auto& o = d.source->operands;
    const std::size_t n = d.source->destinations;
    const Truth with = read_truth(o[n + 2]);
    write_truth(o[0], combine(result, with, d.combine));
    if (n > 1) write_truth(o[1], combine({~result.v, result.known}, with, d.combine));
}

bool Alu::isetp(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 3) return false;
    if (d.is_64) {
        write_comparison(d, comparison(d, read_wide(o[n]), read_wide(o[n + 1])));
        return true;
    }
    Copy others[2];
    const Value &a = view(o[n], others[0]), &b = view(o[n + 1], others[1]);
    Truth result = comparison(d, a, b);
    if (d.extended) {  // where these words are equal, the lower ones decide
        const Truth low = o.size() > n + 3 ? read_truth(o[n + 3]) : Truth{all_lanes, all_lanes};
        const Mask equal = truths(all_lanes, [&](int lane) { return a.v[lane] == b.v[lane]; }).v;
        result = {(result.v & ~equal) | (low.v & equal), result.known & low.known};
    }
    write_comparison(d, result);
    return true;
}

bool Alu::minmax(const Decoded& d, const Operands& o) {
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
    write(o[0], lanewise(a.known & b.known & smaller.known, [&](int lane) {
              return smaller_or_larger(a.v[lane], b.v[lane], d.is_unsigned, smaller.v >> lane & 1);
          }));
    return true;
}

bool Alu::unary(const Decoded& d, const Operands& o) {
    if (o.size() < 2) return false;
    const Value a = read(o[1]);
    const Value b = o.size() > 2 && o[2].kind != Kind::pred ? read(o[2]) : Value{};
    write(o[0], lanewise(a.known & b.known, [&](int lane) -> std::uint32_t {
              const std::uint32_t v = a.v[lane], by = b.v[lane];
              switch (d.op) {
                  case Op::iabs: return absolute(v);
                  case Op::popc: return std::popcount(v);
                  case Op::flo: return leading_one(v, d.is_unsigned, d.shifted);
                  case Op::brev: return reversed(v);
                  case Op::bmsk: return bit_mask(v, by);
                  case Op::sgxt: return sign_extended(v, by, d.is_unsigned);
                  case Op::shl: return shift_left(v, by);
                  case Op::shr: return shift_right(v, by, d.is_unsigned);
                  default: return v;
              }
          }));
    return true;
}

// ------------------------------------------------------------------------------------------- moving between lanes

Value Alu::special(Special which) const {
    const std::uint32_t x = launch_.block[0], y = launch_.block[1], first = warp_.first_thread;
    const auto of_lanes = [](auto&& f) { return lanewise(all_lanes, f); };
    switch (which) {
        case tid_x: return of_lanes([&](std::uint32_t lane) { return (first + lane) % x; });
        case tid_y: return of_lanes([&](std::uint32_t lane) { return (first + lane) / x % y; });
        case tid_z: return of_lanes([&](std::uint32_t lane) { return (first + lane) / x / y; });
        case ctaid_x: return broadcast(block_.x);
        case ctaid_y: return broadcast(block_.y);
        case ctaid_z: return broadcast(block_.z);
        case lane_id: return of_lanes([](std::uint32_t lane) { return lane; });
        case mask_equal: return of_lanes([](std::uint32_t lane) { return 1u << lane; });
        case mask_less: return of_lanes([](std::uint32_t lane) { return (1u << lane) - 1; });
        case mask_less_or_equal: return of_lanes([](std::uint32_t lane) { return (2u << lane) - 1; });
        case mask_greater: return of_lanes([](std::uint32_t lane) { return ~((2u << lane) - 1); });
        case mask_greater_or_equal: return of_lanes([](std::uint32_t lane) { return ~((1u << lane) - 1); });
        case shared_high: return broadcast(shared_window >> 32);
        case rank_in_cluster: return broadcast(block_.rank(launch_.cluster));
        default: return Value{};
    }
}

bool Alu::s2r(const Decoded& d, const Operands& o) {
    if (o.size() < 2 || o[1].kind != Kind::special || o[1].value >= other) return false;
    write(o[0], special(static_cast<Special>(o[1].value)));
    if (d.op == Op::cs2r && d.source->written.size() + d.source->written_uniform.size() > 1) {
        Operand second = o[0];
        second.index += 1;
        write(second, Value{});
    }
    return true;
}

bool Alu::ldc(const Decoded& d, const Operands& o) {
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

bool Alu::r2ur(const Decoded& d, const Operands& o) {
    if (o.size() != 2 || d.source->destinations != 1) return false;
    write(o[0], read(o[1]));
    return true;
}

bool Alu::p2r(const Decoded& d, const Operands& o) {
    if (o.size() < 3 || !d.source->modifiers.empty()) return false;  // P2R R0,PR,RZ,0x7f, with or without PR
    const std::uint32_t mask = static_cast<std::uint32_t>(o[o.size() - 1].value);
    Value result = read(o[o.size() - 2]);
    for (std::uint32_t& v : result.v) v &= ~mask;
    for (int k = 0; k < 7; ++k) {
        if (!(mask >> k & 1)) continue;
        result.known &= warp_.p[k].known;
        for (int lane = 0; lane < lanes; ++lane) result.v[lane] |= (warp_.p[k].v >> lane & 1) << k;
    }
    write(o[0], result);
    return true;
}

bool Alu::r2p(const Decoded& d, const Operands& o) {
    if (o.size() < 2 || !d.source->modifiers.empty()) return false;  // R2P PR,R0,0x7f, with or without PR
    const Value from = read(o[o.size() - 2]);
    for (int k = 0; k < 7; ++k) {
        if (!(o[o.size() - 1].value >> k & 1)) continue;
        Operand to;
        to.kind = Kind::pred;
        to.index = k;
        write_truth(to, truths(from.known, [&](int lane) { return from.v[lane] >> k & 1; }));
    }
    return true;
}

bool Alu::vote(const Decoded& d, const Operands& o) {
    if (o.size() < 2) return false;
    const Truth from = read_truth(o.back());
    const Mask known = (executed_ & ~(from.known & certain_)) == 0 ? all_lanes : 0;
    const Mask ballot = from.v & executed_;
    const bool outcome = d.mode == 1 ? ballot != 0 : ballot == executed_;
    for (int k = 0; k < d.source->destinations; ++k) {
        write(o[k], lanewise(known, [&](int) { return ballot; }));
        write_truth(o[k], {outcome ? all_lanes : 0, known});
    }
    return true;
}

// B2R.RESULT R8 after BAR.RED.POPC; B2R.RESULT RZ,P1 after BAR.RED.AND and BAR.RED.OR.
bool Alu::b2r(const Decoded& d, const Operands& o) {
    const Value said = outcome(warp_.vote);
    for (int k = 0; k < d.source->destinations && k < static_cast<int>(o.size()); ++k) {
        write(o[k], said);
        write_truth(o[k], {said.v[0] != 0 ? all_lanes : 0, said.known});
    }
    return d.source->destinations > 0;
}

// ELECT P2, URZ, PT: one of the lanes, and its number; the first is taken.
bool Alu::elect(const Decoded& d, const Operands& o) {
    if (o.empty()) return false;
    const Mask known = executed_ == certain_ ? all_lanes : 0;
    const int first = std::countr_zero(executed_);
    write_truth(o[0], {Mask{1} << first, known});
    if (d.source->destinations > 1)
        write(o[1], lanewise(known, [&](int) { return static_cast<std::uint32_t>(first); }));
    return true;
}

// QSPC.E.S P0, RZ, [R2]: tests whether a generic address is in shared memory.
bool Alu::query_space(const Decoded& d, const Operands& o) {
    const auto& modifiers = d.source->modifiers;
    if (o.size() < 3 || o.back().kind != Kind::memory ||
        std::find(modifiers.begin(), modifiers.end(), "S") == modifiers.end())
        return false;
    const Wide where = address(o.back());
    write_truth(o[0], truths(where.known, [&](int lane) { return where.v[lane] >> 32 == shared_window >> 32; }));
    return true;
}

// USETMAXREG.TRY_ALLOC UP0, 0xe8 is retried until other warps have released registers: assumed to succeed at once.
bool Alu::take_registers(const Decoded& d, const Operands& o) {
    for (int k = 0; k < d.source->destinations; ++k) write_truth(o[k], {all_lanes, all_lanes});
    return true;
}

bool Alu::shfl(const Decoded& d, const Operands& o) {
    if (o.size() < 5 || d.mode > 3) return false;
    const Value from = read(o[2]), by = read(o[3]), limits = read(o[4]);
    Value result;
    Truth inside{0, by.known & limits.known};
    result.known = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const auto [source, valid] = shuffle_source(d.mode, lane, by.v[lane], limits.v[lane]);
        result.v[lane] = from.v[source];
        result.known |= (from.known >> source & inside.known >> lane & 1) << lane;
        inside.v |= static_cast<Mask>(valid) << lane;
    }
    write_truth(o[0], inside);
    write(o[1], result);
    return true;
}

bool Alu::execute(const Decoded& d) {
    switch (d.op) {
#define X(operation, rule, ...) \
    case Op::operation: return rule(d, d.source->operands);
        FORETELL_ALU_OPERATIONS(X)
#undef X
        default: return false;
    }
}

}  // namespace foretell::functional
