#include "standin/closed/product.hpp"

// Where the processor has wider vectors, the loader chooses the code that uses them.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define WIDEST __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define WIDEST
#endif

namespace foretell::closed {

namespace {

// Half a panel of rows, whatever the processor makes of it.
constexpr std::size_t part = panel_rows / 2;
using Floats = float __attribute__((vector_size(part * sizeof(float))));
using Doubles = double __attribute__((vector_size(part * sizeof(double))));

template <class Vector, class Number>
__attribute__((always_inline)) inline void tile_of(std::size_t k, const Number* a, const Number* b, Number* tile) {
    static_assert(panel_columns == 4);
    Vector low[panel_columns] = {}, high[panel_columns] = {};
    for (std::size_t at = 0; at < k; ++at, a += panel_rows, b += panel_columns) {
        Vector first, second;
        std::memcpy(&first, a, sizeof first);
        std::memcpy(&second, a + part, sizeof second);
        low[0] += first * b[0], high[0] += second * b[0];
        low[1] += first * b[1], high[1] += second * b[1];
        low[2] += first * b[2], high[2] += second * b[2];
        low[3] += first * b[3], high[3] += second * b[3];
    }
    for (std::size_t j = 0; j < panel_columns; ++j) {
        std::memcpy(tile + j * panel_rows, &low[j], sizeof low[j]);
        std::memcpy(tile + j * panel_rows + part, &high[j], sizeof high[j]);
    }
}

}  // namespace

WIDEST void multiply_panels(std::size_t k, const float* a, const float* b, float* tile) {
    tile_of<Floats>(k, a, b, tile);
}
WIDEST void multiply_panels(std::size_t k, const double* a, const double* b, double* tile) {
    tile_of<Doubles>(k, a, b, tile);
}

}  // namespace foretell::closed
