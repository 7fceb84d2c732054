// Matrix products of a warp (mma.sync, dense and sparse), and loads and stores of their operands.
//
// The layout of fragments is that of the PTX ISA, "Matrix Fragments for mma": with g = lane / 4 and t = lane % 4, word r
// of A holds row g + 8 (r mod 2), of B column g; a word has as many neighbours in k as fit.
#include <cmath>
#include <cstring>

#include "gpu/complete/matrix/elements.hpp"
#include "gpu/complete/matrix/sums.hpp"
#include "gpu/complete/memory/access.hpp"
#include "gpu/functional/arithmetic/integer_semantics.hpp"

namespace foretell::complete {
namespace {

using namespace semantics;

constexpr int rows = 16, columns = 8, most = 64;
constexpr std::uint64_t matrix_elements = 64;  // of one that is loaded or stored

// Numbers are exact in double precision, integers as well.
struct Product {
    double a[rows][most] = {}, b[most][columns] = {}, sum[rows][columns] = {};
};

// Where the elements of a row of A that are stored are: each group of four (of TF32 two) columns has 4 bits of metadata, in
// words of the lanes of its quad (PTX ISA, "Sparse matrix storage"). Of 8-bit elements a word is 8 groups of a row, of others
// 4 groups of row g and 4 of row g + 8. The selector (`sources`) says which lanes have them, if not all four are needed.
int column_of(const Worker& w, const Dense& d, int row, int stored, int type, int k_size) {
    const bool is_single = type == tensor_type;
    const int group = is_single ? stored : stored / 2, groups = k_size / (is_single ? 2 : 4), upper = row / 8;
    const int first = groups == 4 ? d.sources : groups == 8 ? 2 * d.sources : 0;
    const bool is_byte = bits_of(type) == 8;
    const int lane = row % 8 * 4 + first + (is_byte ? group / 8 * 2 + upper : group / 4);
    const int bit = is_byte ? 4 * (group % 8) : 16 * upper + 4 * (group % 4);
    const std::uint32_t bits = w.source(d, 3)[lane] >> bit & 15;
    if (is_single) return 2 * group + static_cast<int>(bits >> 1 & 1);  // 0x4 is the first, 0xe the second
    return 4 * group + static_cast<int>(stored % 2 == 0 ? bits & 3 : bits >> 2);
}

// Rows of D are 16, or 8 (`high` false).
void gather_a(const Worker& w, const Dense& d, Product& p, int type, int k_size, bool high) {
    const int stored = d.carry ? k_size / 2 : k_size, each_word = 32 / bits_of(type), halves = high ? 2 : 1;
    for (int l = 0; l < lanes; ++l)
        for (int at = l % 4 * each_word; at < stored; at += 4 * each_word)
            for (int k = 0; k < each_word; ++k)
                for (int h = 0; h < halves; ++h) {
                    const int row = l / 4 + 8 * h, word = at / (4 * each_word) * halves + h;
                    const int column = d.carry ? column_of(w, d, row, at + k, type, k_size) : at + k;
                    p.a[row][column] = element(w.source_row(d, 0, word)[l], type, k);
                }
}

void gather_b(const Worker& w, const Dense& d, Product& p, int type, int k_size) {
    const int each_word = 32 / bits_of(type);
    for (int l = 0; l < lanes; ++l)
        for (int at = l % 4 * each_word; at < k_size; at += 4 * each_word)
            for (int k = 0; k < each_word; ++k)
                p.b[at + k][l / 4] = element(w.source_row(d, 1, at / (4 * each_word))[l], type, k);
}

// Calls f(sum, lane, number) for the accumulators: number 2 h + n is row lane / 4 + 8 h, column 2 (lane % 4) + n.
template <class F>
void each_sum(Product& p, bool high, F&& f) {
    for (int l = 0; l < lanes; ++l)
        for (int at = 0; at < (high ? 4 : 2); ++at) f(p.sum[l / 4 + 8 * (at / 2)][2 * (l % 4) + at % 2], l, at);
}

SumKind kind_of(int type) { return {lowest_exponent(type), lowest_exponent(type), 25, 23}; }

void multiply_real(Worker& w, const Dense& d) {
    Product p;
    const int type = d.mode, k_size = static_cast<int>(d.immediate);
    gather_a(w, d, p, type, k_size, true);
    gather_b(w, d, p, type, k_size);
    each_sum(p, true, [&](double& sum, int l, int k) {
        sum = d.real ? static_cast<double>(to_float(w.source_row(d, 2, k)[l]))
                     : Half::widened(w.source_row(d, 2, k / 2)[l] >> 16 * (k & 1) & 0xffff);
    });
    for (int row = 0; row < rows; ++row)
        add_aligned(kind_of(type), p.a[row], k_size, p.b[0], columns, p.sum[row], columns);
    each_sum(p, true, [&](double sum, int l, int k) {
        std::uint32_t& word = w.destination(d, d.real ? k : k / 2)[l];
        const std::uint32_t at = 16 * (k & 1);
        word = d.real ? canonical(static_cast<float>(sum)) : (word & ~(0xffffu << at)) | Half::narrowed(sum) << at;
    });
}

void multiply_integers(Worker& w, const Dense& d) {
    Product p;
    const int k_size = static_cast<int>(d.immediate);
    gather_a(w, d, p, d.is_unsigned ? uint8_type : int8_type, k_size, d.high);
    gather_b(w, d, p, d.flag ? uint8_type : int8_type, k_size);
    each_sum(p, d.high, [&](double& sum, int l, int k) { sum = static_cast<std::int32_t>(w.source_row(d, 2, k)[l]); });
    for (int row = 0; row < rows; ++row) add_products(p.a[row], k_size, p.b[0], columns, p.sum[row], columns);
    each_sum(p, d.high, [&](double sum, int l, int k) {
        const auto whole = static_cast<std::int64_t>(sum);
        const std::int64_t kept = d.saturate ? std::clamp<std::int64_t>(whole, INT32_MIN, INT32_MAX) : whole;
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
    const bool is_double = d.mode == double_type, half = is_double || (d.mode == int8_type && !d.high);
    w.count_work((half ? rows / 2 : rows) * columns * std::uint64_t{d.immediate});
    if (is_double) multiply_doubles(w, d);
    else if (d.mode == int8_type) multiply_integers(w, d);
    else multiply_real(w, d);
}

void load_matrix(Worker& w, const Dense& d, Mask m) {
    std::uint64_t address[lanes];
    addresses(w, d, address);
    w.count_work(matrix_elements * d.sources);
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
    w.count_work(matrix_elements * d.sources);
    for (int number = 0; number < d.sources; ++number)
        for (int l = 0; l < lanes; ++l)
            for (int part = 0; part < 2; ++part) {
                const auto half = static_cast<std::uint16_t>(w.source_row(d, 0, number)[l] >> 16 * part);
                std::memcpy(matrix_part(w, d, address, number, l, part, true), &half, 2);
            }
}

}  // namespace foretell::complete
