// Numbers of 16 bits: FP16 and BF16, two in a register.
#include "gpu/functional/arithmetic/alu.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"

namespace foretell::functional {
namespace {

using namespace semantics;

// A source of two numbers: swizzled (R2.H0_H0), one number of single precision, or two numbers in the code.
struct Packed {
    Value v;
    int half = 0;
    bool negated = false, absolute = false, brain = false;

    double value(int lane, int part) const {
        const int at = half == 0 ? part : half - 1;
        const double plain = half == 3 ? to_float(v.v[lane]) : widened(v.v[lane] >> 16 * at & 0xffff, brain);
        const double size = absolute ? std::fabs(plain) : plain;
        return negated ? -size : size;
    }
};

bool are_numbers(const Operands& o, std::size_t k) {
    return k + 1 < o.size() && o[k].kind == Kind::immediate && o[k + 1].kind == Kind::immediate;
}

std::uint32_t bits_of_numbers(const Operands& o, std::size_t k) {
    return static_cast<std::uint32_t>((o[k].value & 0xffff) << 16 | (o[k + 1].value & 0xffff));
}

}  // namespace

// The next of the sources from `k` on, which is moved behind it; false if there is none.
template <class P>
bool Alu::read_packed(const Operands& o, std::size_t& k, bool brain, P& source) const {
    if (k >= o.size()) return false;
    source.brain = brain;
    if (are_numbers(o, k)) {
        source.v = broadcast(bits_of_numbers(o, k));
        k += 2;
        return true;
    }
    source.v = raw(o[k]);
    source.half = o[k].half;
    source.negated = o[k].negated;
    source.absolute = o[k].absolute;
    ++k;
    return true;
}

// HADD2, HMUL2, HFMA2; with `.F32` one result of single precision.
bool Alu::halves(const Decoded& d, const Operands& o) {
    if (d.op == Op::hfma2 && o.size() > 4 && o[1].index < 0 && o[2].index < 0 && are_numbers(o, 3)) {
        write(o[0], broadcast(bits_of_numbers(o, 3)));  // the compiler loads constants as 0 0 + (high, low)
        return true;
    }
    Packed in[3];
    std::size_t k = 1;
    const int sources = d.op == Op::hfma2 ? 3 : 2;
    for (int slot = 0; slot < sources; ++slot)
        if (!read_packed(o, k, d.brain, in[slot])) return false;
    const auto value = [&](int lane, int part) {
        const double a = in[0].value(lane, part), b = in[1].value(lane, part);
        if (d.op == Op::hadd2) return fused_odd(a, 1, b);
        return fused_odd(a, b, d.op == Op::hmul2 ? -0.0 : in[2].value(lane, part));
    };
    write(o[0], lanewise(in[0].v.known & in[1].v.known & in[2].v.known, [&](int lane) {
              if (d.real32) return to_bits(static_cast<float>(value(lane, 0)));
              return semantics::narrowed(value(lane, 1), d.brain) << 16 | semantics::narrowed(value(lane, 0), d.brain);
          }));
    return true;
}

// HSETP2: a predicate for each half; with `.H_AND` whether both hold, and whether not.
bool Alu::hsetp2(const Decoded& d, const Operands& o) {
    Packed in[2];
    std::size_t k = static_cast<std::size_t>(d.source->destinations);
    if (k != 2 || !read_packed(o, k, d.brain, in[0]) || !read_packed(o, k, d.brain, in[1]) || k >= o.size())
        return false;
    const Truth with = read_truth(o[k]);
    const Mask known = in[0].v.known & in[1].v.known & with.known;
    const auto of_part = [&](int part) {
        return truths(known,
                      [&](int lane) { return compared(d.compare, in[0].value(lane, part), in[1].value(lane, part)); })
            .v;
    };
    Mask low = of_part(0), high = of_part(1);
    if (d.both) {
        low &= high;
        high = ~low;
    }
    const auto joined = [&](Mask x) {
        return d.combine == '&' ? x & with.v : d.combine == '|' ? x | with.v : x ^ with.v;
    };
    write_truth(o[0], {joined(low), known});
    write_truth(o[1], {joined(high), known});
    return true;
}

// F2FP.F16.F32.PACK_AB R0, R1, R2: the first number above the second.
bool Alu::pack(const Decoded& d, const Operands& o) {
    if (o.size() < 3) return false;
    const Value above = read_float(o[1]), below = read_float(o[2]);
    write(o[0], lanewise(above.known & below.known, [&](int lane) {
              return semantics::narrowed(to_float(above.v[lane]), d.brain) << 16 |
                     semantics::narrowed(to_float(below.v[lane]), d.brain);
          }));
    return true;
}

}  // namespace foretell::functional
