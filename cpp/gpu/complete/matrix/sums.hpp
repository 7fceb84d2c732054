// Sums of products in a tensor core. Private to complete execution.
#pragma once

namespace foretell::complete {

inline constexpr int most_columns = 256;

// How a sum is rounded: exponents that A and B have at least, bits kept below the largest exponent, and bits of the result.
struct SumKind {
    int lowest_a, lowest_b, kept, result;
};

// sum[n] += a[k] b[k stride + n], exactly: of integers.
void add_products(const double* a, int k_size, const double* b, int stride, double* sum, int columns);

// The same as a tensor core of sm_90 adds floating-point numbers: all terms are cut to `kept` bits below the largest
// exponent of a product (that of its factors together) or of the sum so far, added, and cut to the bits of the result.
void add_aligned(const SumKind& how, const double* a, int k_size, const double* b, int stride, double* sum,
                 int columns);

}  // namespace foretell::complete
