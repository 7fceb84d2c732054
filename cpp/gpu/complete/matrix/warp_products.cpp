// Matrix products of a warp (mma.sync), and loads and stores of their operands.
//
// The layout of fragments is that of the PTX ISA, "Matrix Fragments for mma": with g = lane / 4 and t = lane % 4, word r
// of A holds row g + 8 (r mod 2), of B column g; a word has as many neighbours in k as fit.
#include <cmath>
#include <cstring>

#include "gpu/complete/matrix/elements.hpp"
#include "gpu/complete/memory/access.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

using namespace semantics;

constexpr int rows = 16, columns = 8, most = 32;

// Numbers are exact in double precision, integers as well.
struct Product {
    double a[rows][most] = {}, b[columns][most] = {}, c[rows][columns] = {};
};

// Rows of D are 16, or 8 (`high` false); `steps` words of k for each lane.
void gather(const Worker& w, const Dense& d, Product& p, int a_type, int b_type, int k_size, bool high) {
    const int each_word = 32 / bits_of(a_type), steps = k_size / (4 * each_word), halves = high ? 2 : 1;
    for (int l = 0; l < lanes; ++l) {
        const int g = l / 4, t = l % 4;
        for (int s = 0; s < steps; ++s)
            for (int k = 0; k < each_word; ++k) {
                const int at = s * 4 * each_word + t * each_word + k;
                for (int h = 0; h < halves; ++h)
                    p.a[g + 8 * h][at] = element(w.source_row(d, 0, s * halves + h)[l], a_type, k);
                p.b[g][at] = element(w.source_row(d, 1, s)[l], b_type, k);
            }
    }
}

// Sums in double precision, rounded once to the type of D. The hardware adds the products of a few k at a time and cuts
// what is more than 24 or 25 bits below the largest: they agree to about an ulp of the largest term.
template <class In, class Out>
void accumulate(Product& p, int k_size, bool high, In in, Out out) {
    for (int l = 0; l < lanes; ++l) {
        const int g = l / 4, t = l % 4;
        for (int h = 0; h < (high ? 2 : 1); ++h)
            for (int k = 0; k < 2; ++k) {
                double sum = in(l, 2 * h + k);
                for (int at = 0; at < k_size; ++at) sum += p.a[g + 8 * h][at] * p.b[2 * t + k][at];
                p.c[g + 8 * h][2 * t + k] = sum;
            }
    }
    for (int l = 0; l < lanes; ++l)
        for (int at = 0; at < (high ? 4 : 2); ++at) out(l, at, p.c[l / 4 + 8 * (at / 2)][2 * (l % 4) + at % 2]);
}

void multiply_real(Worker& w, const Dense& d) {
    Product p;
    const int type = d.mode;
    gather(w, d, p, type, type, static_cast<int>(d.immediate), true);
    if (d.real) {  // FP32
        accumulate(
            p, static_cast<int>(d.immediate), true,
            [&](int l, int k) -> double { return to_float(w.source_row(d, 2, k)[l]); },
            [&](int l, int k, double v) { w.destination(d, k)[l] = canonical(static_cast<float>(v)); });
        return;
    }
    accumulate(
        p, static_cast<int>(d.immediate), true,
        [&](int l, int k) { return Half::widened(w.source_row(d, 2, k / 2)[l] >> 16 * (k & 1) & 0xffff); },
        [&](int l, int k, double v) {
            std::uint32_t& word = w.destination(d, k / 2)[l];
            const std::uint32_t bits = Half::narrowed(v), at = 16 * (k & 1);
            word = (word & ~(0xffffu << at)) | bits << at;
        });
}

void multiply_integers(Worker& w, const Dense& d) {
    Product p;
    const bool high = d.high, saturate = d.saturate;
    gather(w, d, p, d.is_unsigned ? uint8_type : int8_type, d.flag ? uint8_type : int8_type,
           static_cast<int>(d.immediate), high);
    accumulate(
        p, static_cast<int>(d.immediate), high,
        [&](int l, int k) -> double { return static_cast<std::int32_t>(w.source_row(d, 2, k)[l]); },
        [&](int l, int k, double v) {
            const auto whole = static_cast<std::int64_t>(v);
            const std::int64_t kept = saturate ? std::clamp<std::int64_t>(whole, INT32_MIN, INT32_MAX) : whole;
            w.destination(d, k)[l] = static_cast<std::uint32_t>(kept);
        });
}

double wide_element(const Worker& w, const Dense& d, int source, int number, int lane) {
    return to_double(pair_of(w.source_row(d, source, 2 * number + 1)[lane], w.source_row(d, source, 2 * number)[lane]));
}

// 8x8x4 in double precision: fused, k ascending.
void multiply_doubles(Worker& w, const Dense& d) {
    Row low[2], high[2];
    for (int l = 0; l < lanes; ++l)
        for (int n = 0; n < 2; ++n) {
            const int g = l / 4, column = 2 * (l % 4) + n;
            double sum = wide_element(w, d, 2, n, l);
            for (int k = 0; k < 4; ++k)
                sum = std::fma(wide_element(w, d, 0, 0, 4 * g + k), wide_element(w, d, 1, 0, 4 * column + k), sum);
            low[n].v[l] = static_cast<std::uint32_t>(to_bits64(sum));
            high[n].v[l] = static_cast<std::uint32_t>(to_bits64(sum) >> 32);
        }
    for (int n = 0; n < 2; ++n) {
        std::memcpy(w.destination(d, 2 * n), low[n].v, sizeof(Row));
        std::memcpy(w.destination(d, 2 * n + 1), high[n].v, sizeof(Row));
    }
}

// Where a lane's word of an 8x8 matrix of 16-bit numbers lies, in two parts: matrix `number`, whose row r is at the
// address of lane 8 number + r.
std::uint8_t* matrix_part(Worker& w, const Dense& d, const std::uint64_t* address, int number, int lane, int part,
                          bool writes) {
    const int row = d.flag ? 2 * (lane % 4) + part : lane / 4, column = d.flag ? lane / 4 : 2 * (lane % 4) + part;
    const int owner = 8 * number + row;
    return shared_bytes(w, d, owner, address[owner], 16, writes) + 2 * column;
}

}  // namespace

void multiply_matrices(Worker& w, const Dense& d, Mask m) {
    if (m != all_lanes)
        w.fail(d, FaultKind::illegal, std::countr_zero(m), "a matrix product needs all lanes of the warp");
    if (d.mode == double_type) multiply_doubles(w, d);
    else if (d.mode == int8_type) multiply_integers(w, d);
    else multiply_real(w, d);
}

void load_matrix(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    Row result[4];
    for (int number = 0; number < d.sources; ++number)
        for (int l = 0; l < lanes; ++l) {
            std::uint32_t word = 0;
            for (int part = 0; part < 2; ++part) {
                std::uint16_t half;
                std::memcpy(&half, matrix_part(w, d, address, number, l, part, false), 2);
                word |= static_cast<std::uint32_t>(half) << 16 * part;
            }
            result[number].v[l] = word;
        }
    for (int number = 0; number < d.sources; ++number) blend(w.destination(d, number), result[number].v, m);
}

// MOVM.16.MT88: an 8x8 matrix of 16-bit numbers, whose row is four lanes, transposed.
void transpose_matrix(Worker& w, const Dense& d, Mask m) {
    const std::uint32_t* from = w.source(d, 0);
    Row result;
    for (int l = 0; l < lanes; ++l) {
        std::uint32_t word = 0;
        for (int part = 0; part < 2; ++part) {
            const int row = 2 * (l % 4) + part, column = l / 4;
            word |= (from[4 * row + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * part;
        }
        result.v[l] = word;
    }
    blend(w.destination(d), result.v, m);
}

void store_matrix(Worker& w, const Dense& d, Mask) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    for (int number = 0; number < d.sources; ++number)
        for (int l = 0; l < lanes; ++l)
            for (int part = 0; part < 2; ++part) {
                const auto half = static_cast<std::uint16_t>(w.source_row(d, 0, number)[l] >> 16 * part);
                std::memcpy(matrix_part(w, d, address, number, l, part, true), &half, 2);
            }
}

}  // namespace foretell::complete
