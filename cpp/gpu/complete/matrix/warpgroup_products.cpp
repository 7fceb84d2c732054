// Matrix products of a warpgroup (wgmma). Each of its four warps computes 16 rows of D; operands lie in shared memory,
// where matrix descriptors say, or A in registers (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
#include <algorithm>
#include <cstring>
#include <vector>

#include "gpu/complete/matrix/elements.hpp"
#include "gpu/complete/matrix/sums.hpp"
#include "gpu/complete/memory/access.hpp"

namespace foretell::complete {
namespace {

using namespace semantics;

constexpr int tile_rows = 16, most_k = 32, unit = 16;

// Where a matrix lies. Rows of 8 form a group; `span` is the length of a row of the pattern in bytes.
struct Descriptor {
    std::uint32_t start, leading, stride, base_offset;
    int swizzle;  // bits
    std::uint32_t span;

    explicit Descriptor(std::uint64_t word)
        : start(static_cast<std::uint32_t>(word & 0x3fff) << 4),
          leading(static_cast<std::uint32_t>(word >> 16 & 0x3fff) << 4),
          stride(static_cast<std::uint32_t>(word >> 32 & 0x3fff) << 4),
          base_offset(static_cast<std::uint32_t>(word >> 49 & 7)) {
        const auto mode = static_cast<int>(word >> 62);
        swizzle = mode == 0 ? 0 : 4 - mode;  // 1: 128 bytes, 2: 64, 3: 32
        span = 16u << swizzle;
    }

    // 16 bytes of neighbours in k: of a row, the first or the second ones.
    std::uint32_t along_k(std::uint32_t row, std::uint32_t part) const {
        const std::uint32_t inside = row % 8 * span + row / 8 * stride;
        return mixed(start + inside + part * (swizzle == 0 ? leading : unit));
    }

    // 16 bytes of 8 neighbouring rows at one k.
    std::uint32_t across(std::uint32_t rows, std::uint32_t k) const {
        if (swizzle == 0) return start + rows * stride + k % 8 * unit + k / 8 * leading;
        const std::uint32_t units = span / unit;
        return mixed(start + rows % units * unit + rows / units * leading + k % 8 * span + k / 8 * stride);
    }

private:
    std::uint32_t mixed(std::uint32_t address) const {
        const std::uint32_t row = ((address >> 7) - base_offset) & ((1u << swizzle) - 1);
        return address ^ row << 4;
    }
};

class Product {
public:
    Product(Worker& w, const Dense& d, int lane)
        : w_(w),
          d_(d),
          lane_(lane),
          columns_(static_cast<int>(d.immediate)),
          a_type_(d.half[0]),
          b_type_(d.half[1]),
          each_word_(32 / bits_of(a_type_)),
          k_(8 * each_word_),
          first_row_(w.warp->number % 4 * tile_rows) {}

    std::uint64_t operations() const { return std::uint64_t{tile_rows} * columns_ * k_; }

    void run() {
        read_a();
        read_b();
        read_c();
        for (int row = 0; row < tile_rows; ++row) {
            if (is_integer()) add_products(a_[row], k_, b_[0], most_columns, sum_[row], columns_);
            else add_aligned(kind(), a_[row], k_, b_[0], most_columns, sum_[row], columns_);
        }
        write();
    }

private:
    const std::uint8_t* unit_at(std::uint32_t place) { return shared_bytes(w_, d_, lane_, place, unit, false); }

    std::uint64_t descriptor(int row) const {
        return std::uint64_t{w_.source_row(d_, 1, row + 1)[0]} << 32 | w_.source_row(d_, 1, row)[0];
    }

    // Calls f(row, k, number) for `rows` rows from `first` on.
    template <class F>
    void read(const Descriptor& from, bool transposed, int type, int first, int rows, F&& f) {
        std::uint32_t words[unit / 4];
        if (transposed) {
            for (int group = first / 8; group < (first + rows) / 8; ++group)
                for (int k = 0; k < k_; ++k) {
                    std::memcpy(words,
                                unit_at(from.across(static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(k))),
                                unit);
                    for (int at = 0; at < 8; ++at) f(8 * group + at - first, k, element(words[at / 2], type, at % 2));
                }
            return;
        }
        for (int row = first; row < first + rows; ++row)
            for (int part = 0; part < 2; ++part) {
                std::memcpy(words,
                            unit_at(from.along_k(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(part))),
                            unit);
                for (int at = 0; at < k_ / 2; ++at)
                    f(row - first, part * k_ / 2 + at, element(words[at / each_word_], type, at % each_word_));
            }
    }

    void read_a() {
        const double sign = d_.flip[0] != 0 ? -1 : 1;
        if (d_.other) return read_registers(sign);
        read(Descriptor(descriptor(0)), d_.carry, a_type_, static_cast<int>(first_row_), tile_rows,
             [&](int row, int k, double number) { a_[row][k] = sign * number; });
    }

    // Word r of lane 4 g + t: row g + 8 (r mod 2), the t-th word of half r / 2 of k.
    void read_registers(double sign) {
        for (int l = 0; l < lanes; ++l)
            for (int r = 0; r < 4; ++r)
                for (int k = 0; k < each_word_; ++k)
                    a_[l / 4 + 8 * (r % 2)][(r / 2 * 4 + l % 4) * each_word_ + k] =
                        sign * element(w_.source_row(d_, 0, r)[l], a_type_, k);
    }

    void read_b() {
        const double sign = d_.flip[1] != 0 ? -1 : 1;
        read(Descriptor(descriptor(2)), d_.wrap, b_type_, 0, columns_,
             [&](int column, int k, double number) { b_[k][column] = sign * number; });
    }

    // Calls f(row, column, word, half) for the accumulators of all lanes.
    template <class F>
    void each_accumulator(F&& f) {
        const bool packed = !d_.real && !is_integer();
        for (int l = 0; l < lanes; ++l)
            for (int at = 0; at < columns_ / 2; ++at) {
                const int row = l / 4 + 8 * (at / 2 % 2), column = at / 4 * 8 + 2 * (l % 4) + at % 2;
                f(row, column, l, packed ? at / 2 : at, packed ? at % 2 : 0);
            }
    }

    SumKind kind() const {
        return {lowest_exponent(a_type_), lowest_exponent(b_type_), bits_of(a_type_) == 8 ? 13 : 25,
                bits_of(a_type_) == 8 && d_.real ? 13 : 23};
    }

    bool is_integer() const { return a_type_ == int8_type || a_type_ == uint8_type; }

    void read_c() {
        const bool accumulates = w_.truth(d_.read[0]) & 1;
        each_accumulator([&](int row, int column, int l, int word, int part) {
            const std::uint32_t bits = accumulates ? w_.source_row(d_, 2, word)[l] : 0;
            sum_[row][column] = !accumulates   ? 0.0
                                : is_integer() ? static_cast<std::int32_t>(bits)
                                : d_.real      ? static_cast<double>(to_float(bits))
                                               : Half::widened(bits >> 16 * part & 0xffff);
        });
    }

    std::uint32_t narrowed_integer(double sum) const {
        const auto whole = static_cast<std::int64_t>(sum);
        return static_cast<std::uint32_t>(d_.saturate ? std::clamp<std::int64_t>(whole, INT32_MIN, INT32_MAX) : whole);
    }

    void write() {
        each_accumulator([&](int row, int column, int l, int word, int part) {
            std::uint32_t& to = w_.destination(d_, word)[l];
            const double sum = sum_[row][column];
            if (is_integer()) to = narrowed_integer(sum);
            else if (d_.real) to = canonical(static_cast<float>(sum));  // has 24 bits
            else to = (to & ~(0xffffu << 16 * part)) | Half::narrowed(sum) << 16 * part;
        });
    }

    Worker& w_;
    const Dense& d_;
    int lane_, columns_, a_type_, b_type_, each_word_, k_;
    std::uint32_t first_row_;
    double a_[tile_rows][most_k] = {}, b_[most_k][most_columns], sum_[tile_rows][most_columns];
};

}  // namespace

// HGMMA.64x128x16.F32 R24, gdesc[UR4].tnspA.tnspB, R24, UP0: UR4 to UR7 are the descriptors of A and B; with A in R40 to
// R43, that of B is in UR6 and UR7 as well. If UP0 is false, C is zero.
void multiply_warpgroup(Worker& w, const Dense& d, Mask m) {
    const int lane = std::countr_zero(m);
    if (m != all_lanes) w.fail(d, FaultKind::illegal, lane, "a matrix product needs all lanes of the warpgroup");
    static thread_local std::vector<std::uint64_t> room((sizeof(Product) + 7) / 8);
    Product& product = *new (room.data()) Product(w, d, lane);
    w.count_work(product.operations());
    product.run();
}

}  // namespace foretell::complete
