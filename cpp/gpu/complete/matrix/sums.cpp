// Rounding of tensor cores. The products of an H200 (validation/h200/hopper) are reproduced bit for bit: FP16, BF16 and TF32
// keep 25 bits below the largest exponent, FP8 13, and all are cut towards zero.
#include "gpu/complete/matrix/sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace foretell::complete {
namespace {

constexpr int none = -900, bias = 1023, fraction_bits = 52;  // exponent of a zero; format of double precision

int exponent_of(double value, int lowest) {
    if (value == 0) return none;
    return std::max(static_cast<int>(std::bit_cast<std::uint64_t>(value) >> fraction_bits & 0x7ff) - bias, lowest);
}

double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << fraction_bits);
}

// Towards zero, to `bits` bits behind the first one.
double cut(double value, int bits) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~0ull << (fraction_bits - bits));
}

// A term in units of the last bit that is kept. Terms are below 2^28; infinities and NaN are not used.
double whole(double value) {
    constexpr double most = 1 << 30;
    const double below = value < most ? value : most;
    return static_cast<std::int32_t>(below > -most ? below : -most);
}

bool is_finite(double value) { return value - value == 0; }

}  // namespace

void add_products(const double* a, int k_size, const double* b, int stride, double* sum, int columns) {
    for (int k = 0; k < k_size; ++k)
        for (int n = 0; n < columns; ++n) sum[n] += a[k] * b[k * stride + n];
}

void add_aligned(const SumKind& how, const double* a, int k_size, const double* b, int stride, double* sum,
                 int columns) {
    int largest[most_columns];
    double scale[most_columns], total[most_columns], plain[most_columns];
    for (int n = 0; n < columns; ++n) {
        largest[n] = exponent_of(sum[n], -126);
        plain[n] = sum[n];
    }
    for (int k = 0; k < k_size; ++k) {
        const int own = exponent_of(a[k], how.lowest_a);
        for (int n = 0; n < columns; ++n)
            largest[n] = std::max(largest[n], own + exponent_of(b[k * stride + n], how.lowest_b));
    }
    for (int n = 0; n < columns; ++n) {
        scale[n] = power_of_two(how.kept - std::max(largest[n], none));
        total[n] = whole(sum[n] * scale[n]);
    }
    for (int k = 0; k < k_size; ++k)
        for (int n = 0; n < columns; ++n) {
            const double product = a[k] * b[k * stride + n];
            plain[n] += product;
            total[n] += whole(product * scale[n]);
        }
    for (int n = 0; n < columns; ++n) sum[n] = is_finite(plain[n]) ? cut(total[n] / scale[n], how.result) : plain[n];
}

}  // namespace foretell::complete
