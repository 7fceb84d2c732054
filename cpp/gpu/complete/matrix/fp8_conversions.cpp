// Conversions to and from numbers of 8 bits. `other` says E5M2.
#include "gpu/functional/arithmetic/fp8_semantics.hpp"

#include "gpu/complete/dense.hpp"
#include "gpu/functional/arithmetic/float_semantics.hpp"

namespace foretell::complete {

using namespace semantics;

namespace {

float real(const Worker& w, const Dense& d, int slot, int lane) {
    return to_float((w.source(d, slot)[lane] & d.keep[slot]) ^ d.flip[slot]);
}

std::uint32_t pair(double upper, double lower, bool e5m2) {
    return narrowed_fp8(upper, e5m2) << 8 | narrowed_fp8(lower, e5m2);
}

}  // namespace

// F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0, R1, R2, R3: the first source above the second, and R3's lower half above both.
void pack_fp8(Worker& w, const Dense& d, Mask m) {
    Row result;
    each(m, [&](int l) { result.v[l] = pair(real(w, d, 0, l), real(w, d, 1, l), d.other) | w.source(d, 2)[l] << 16; });
    blend(w.destination(d), result.v, m);
}

// F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R0, R1, R2: of two halves in R1, with R2's lower half above them.
void narrow_fp8(Worker& w, const Dense& d, Mask m) {
    Row result;
    each(m, [&](int l) {
        const std::uint32_t both = w.source(d, 0)[l];
        result.v[l] = pair(Half::widened(both >> 16), Half::widened(both & 0xffff), d.other) | w.source(d, 1)[l] << 16;
    });
    blend(w.destination(d), result.v, m);
}

// F2FP.F16.E4M3.UNPACK_B R0, R1: two halves of the lower two numbers of R1; R1.H1: of the upper two.
void widen_fp8(Worker& w, const Dense& d, Mask m) {
    Row result;
    each(m, [&](int l) {
        const std::uint32_t both = w.source(d, 0)[l] >> (d.half[0] == 2 ? 16 : 0);
        const auto half = [&](std::uint32_t bits) { return Half::narrowed(widened_fp8(bits & 0xff, d.other)); };
        result.v[l] = half(both >> 8) << 16 | half(both);
    });
    blend(w.destination(d), result.v, m);
}

}  // namespace foretell::complete
