// Floating point, as far as integer division and known scalars need it.
#include <cmath>

#include "gpu/functional/arithmetic/alu.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::functional {
namespace {

using namespace semantics;

// Unknown data is assumed to be ordinary: finite, nonzero, with a magnitude between these.
constexpr double smallest = 1e-30, largest = 1e4;

enum class Outcome : std::uint8_t { no, yes, unknown };

Outcome outcome_of(bool value) { return value ? Outcome::yes : Outcome::no; }

// Compares an unknown number, of either sign unless the operand gives it, with one outside the ordinary range.
template <class T>
Outcome compared_with_extreme(Compare how, const Operand& unknown, T extreme, bool swapped) {
    if (std::fabs(extreme) > smallest && std::fabs(extreme) < largest) return Outcome::unknown;
    const auto with = [&](T x) { return swapped ? compared(how, extreme, x) : compared(how, x, extreme); };
    const bool above = with(unknown.absolute && unknown.negated ? T{-1} : T{1}),
               below = with(unknown.absolute && !unknown.negated ? T{1} : T{-1});
    return above == below ? outcome_of(above) : Outcome::unknown;
}

template <class T>
Outcome compared_as_far_as_known(Compare how, T a, bool a_known, const Operand& oa, T b, bool b_known,
                                 const Operand& ob) {
    if (a_known && b_known) return outcome_of(compared(how, a, b));
    if (how == Compare::number || how == Compare::nan) return outcome_of(how == Compare::number);
    if (a_known == b_known) return Outcome::unknown;
    return a_known ? compared_with_extreme(how, ob, a, true) : compared_with_extreme(how, oa, b, false);
}

}  // namespace

Value Alu::read_float(const Operand& o) const {
    Value result = raw(o);
    for (std::uint32_t& v : result.v) {
        if (o.absolute) v &= 0x7fffffffu;
        if (o.negated) v ^= 0x80000000u;
    }
    return result;
}

// The operand as a double, which holds all single-precision numbers.
Wide Alu::read_real(const Operand& o, bool is_double) const {
    if (!is_double) {
        const Value narrow = read_float(o);
        return lanewise<Wide>(narrow.known, [&](int lane) {
            return std::bit_cast<std::uint64_t>(static_cast<double>(to_float(narrow.v[lane])));
        });
    }
    Wide result = read_wide(o);
    for (std::uint64_t& v : result.v) {
        if (o.absolute) v &= ~(1ull << 63);
        if (o.negated) v ^= 1ull << 63;
    }
    return result;
}

void Alu::write_real(const Operand& o, bool is_double, int mode, Mask known, const std::array<long double, lanes>& v) {
    if (is_double)
        return write_wide(o, lanewise<Wide>(known, [&](int lane) {
                              return std::bit_cast<std::uint64_t>(rounded<double>(v[lane], mode));
                          }));
    write(o, lanewise(known, [&](int lane) { return to_bits(rounded<float>(v[lane], mode)); }));
}

bool Alu::convert(const Decoded& d, const Operands& o) {
    if (o.size() < 2) return false;
    std::array<long double, lanes> real{};
    if (d.op == Op::i2f) {
        Wide from;
        if (d.is_64) {
            from = read_wide(o[1]);
        } else {
            const Value narrow = read(o[1]);
            const auto at = 8u * static_cast<std::uint32_t>(o[1].byte),
                       width = 8u * static_cast<std::uint32_t>(d.bytes);
            from = lanewise<Wide>(narrow.known, [&](int lane) {
                const std::uint32_t part = sign_extended(narrow.v[lane] >> at, width, d.is_unsigned);
                return d.is_unsigned ? std::int64_t{part} : std::int64_t{static_cast<std::int32_t>(part)};
            });
        }
        for (int lane = 0; lane < lanes; ++lane)
            real[lane] = d.is_unsigned ? static_cast<long double>(from.v[lane])
                                       : static_cast<long double>(static_cast<std::int64_t>(from.v[lane]));
        write_real(o[0], d.real64, d.mode, from.known, real);
        return true;
    }
    const Wide from = read_real(o[1], d.real64);
    const auto value = [&](int lane) { return std::bit_cast<double>(from.v[lane]); };
    if (d.op == Op::f2i && d.is_64) {
        write_wide(o[0], lanewise<Wide>(from.known, [&](int lane) {
                       return d.is_unsigned ? to_integer<std::uint64_t>(value(lane), d.mode)
                                            : static_cast<std::uint64_t>(to_integer<std::int64_t>(value(lane), d.mode));
                   }));
    } else if (d.op == Op::f2i) {
        write(o[0], lanewise(from.known, [&](int lane) {
                  if (d.bytes < 4) return narrow_integer(value(lane), d.mode, d.bytes, d.is_unsigned);
                  return d.is_unsigned ? to_integer<std::uint32_t>(value(lane), d.mode)
                                       : static_cast<std::uint32_t>(to_integer<std::int32_t>(value(lane), d.mode));
              }));
    } else {
        for (int lane = 0; lane < lanes; ++lane)
            real[lane] = d.op == Op::frnd ? integral(value(lane), d.mode) : value(lane);
        write_real(o[0], d.op == Op::f2f ? d.wide : d.real64, d.op == Op::f2f ? d.mode : 0, from.known, real);
    }
    return true;
}

// Unknown numbers are ordinary.
bool Alu::fchk(const Decoded&, const Operands& o) {
    if (o.size() < 3) return false;
    const Value a = read_float(o[1]), b = read_float(o[2]);
    Truth slow{0, all_lanes};
    each(a.known & b.known,
         [&](int lane) { slow.v |= static_cast<Mask>(needs_slow_division(a.v[lane], b.v[lane])) << lane; });
    write_truth(o[0], slow);
    return true;
}

bool Alu::floating(const Decoded& d, const Operands& o) {
    const std::size_t sources = d.op == Op::mufu ? 1 : d.op == Op::ffma ? 3 : 2;
    if (o.size() < 1 + sources) return false;
    const Value a = read_float(o[1]);
    const Value b = sources > 1 ? read_float(o[2]) : Value{};
    const Value c = sources > 2 ? read_float(o[3]) : Value{};
    const Truth smaller = d.op == Op::fmnmx && o.size() > 3 ? read_truth(o[3]) : Truth{all_lanes, all_lanes};
    Value result;
    result.known = a.known & b.known & c.known & smaller.known;
    each(result.known, [&](int lane) {
        const float x = to_float(a.v[lane]), y = to_float(b.v[lane]), z = to_float(c.v[lane]);
        result.v[lane] = to_bits(d.op == Op::mufu        ? special_function(d.mode, x)
                                 : d.op == Op::fadd      ? x + y
                                 : d.op == Op::fmul      ? x * y
                                 : d.op == Op::ffma      ? std::fma(x, y, z)
                                 : smaller.v >> lane & 1 ? std::fmin(x, y)
                                                         : std::fmax(x, y));
    });
    write(o[0], result);
    return true;
}

bool Alu::fsetp(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations;
    if (o.size() < n + 3 || n < 1) return false;
    const Value a = read_float(o[n]), b = read_float(o[n + 1]);
    const Truth with = read_truth(o[n + 2]);
    const auto alike = [&](const Operand& of, const Value& v) {  // in all lanes that execute
        return (v.known & executed_) == 0 || of.kind == Kind::immediate || of.kind == Kind::real ||
               (of.kind == Kind::reg && of.index < 0);
    };
    const Mask asked = with.known & executed_;
    const bool once = alike(o[n], a) && alike(o[n + 1], b);
    Mask yes = 0, no = 0;
    each(once ? asked & (0u - asked) : asked, [&](int lane) {
        const bool a_known = a.known >> lane & 1, b_known = b.known >> lane & 1;
        const Outcome outcome = compared_as_far_as_known(d.compare, to_float(a.v[lane]), a_known, o[n],
                                                         to_float(b.v[lane]), b_known, o[n + 1]);
        if (outcome == Outcome::unknown) return;
        warp_.took_for_ordinary |= !(a_known && b_known);
        (outcome == Outcome::yes ? yes : no) |= once ? asked : Mask{1} << lane;
    });
    const Mask known = yes | no;
    const auto joined = [&](Mask x) {
        return known & (d.combine == '&' ? x & with.v : d.combine == '|' ? x | with.v : x ^ with.v);
    };
    write_truth(o[0], {joined(yes), known});
    if (n > 1) write_truth(o[1], {joined(no), known});
    return true;
}

bool Alu::real64(const Decoded& d, const Operands& o) {
    const std::size_t n = d.source->destinations, sources = d.op == Op::dfma ? 3 : 2;
    if (o.size() < n + sources) return false;
    Wide in[3];
    Mask known = all_lanes;
    for (std::size_t k = 0; k < sources; ++k) {
        in[k] = read_wide(o[n + k]);
        known &= in[k].known;
        for (std::uint64_t& v : in[k].v) {
            if (o[n + k].absolute) v &= ~(1ull << 63);
            if (o[n + k].negated) v ^= 1ull << 63;
        }
    }
    const auto value = [&](int k, int lane) { return std::bit_cast<double>(in[k].v[lane]); };
    if (d.op == Op::dsetp) {
        Truth result{0, known};
        each(known, [&](int lane) {
            result.v |= static_cast<Mask>(compared(d.compare, value(0, lane), value(1, lane))) << lane;
        });
        if (o.size() > n + 2 && o[n + 2].index >= 0) result.known = 0;
        write_truth(o[0], result);
        if (n > 1) write_truth(o[1], {~result.v, result.known});
        return true;
    }
    Wide result;
    result.known = known;
    each(known, [&](int lane) {
        const double x = value(0, lane), y = value(1, lane);
        const double out = d.op == Op::dadd ? x + y : d.op == Op::dmul ? x * y : std::fma(x, y, value(2, lane));
        result.v[lane] = std::bit_cast<std::uint64_t>(out);
    });
    write_wide(o[0], result);
    return true;
}

}  // namespace foretell::functional
