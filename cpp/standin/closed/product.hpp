// Products of matrices in columns, as BLAS has them, on this processor.
#pragma once

#include <cstddef>
#include <vector>

#include "standin/closed/numbers.hpp"

namespace foretell::closed {

// Rows of op(A) in panels of `panel_rows`, columns of op(B) in panels of `panel_columns`, each panel by the inner index.
constexpr std::size_t panel_rows = 16, panel_columns = 4;

// Adds nothing: tile[column][row] = sum over k of a[k][row] * b[k][column].
void multiply_panels(std::size_t k, const float* a, const float* b, float* tile);
void multiply_panels(std::size_t k, const double* a, const double* b, double* tile);

template <class Sum, class In>
std::vector<Sum> packed(bool transposed, std::size_t lines, std::size_t k, const In* data, std::size_t pitch,
                        std::size_t width) {
    const std::size_t panels = (lines + width - 1) / width;
    std::vector<Sum> result(panels * width * k, Sum{0});
    for (std::size_t at = 0; at < k; ++at)
        for (std::size_t line = 0; line < lines; ++line)
            result[(line / width * k + at) * width + line % width] =
                static_cast<Sum>(wide(transposed ? data[line * pitch + at] : data[at * pitch + line]));
    return result;
}

// C = alpha op(A) op(B) + beta C. C is not read where beta is 0.
template <class Sum, class In, class Out>
void multiply(bool ta, bool tb, std::size_t m, std::size_t n, std::size_t k, double alpha, const In* a, std::size_t lda,
              const In* b, std::size_t ldb, double beta, Out* c, std::size_t ldc) {
    const std::vector<Sum> left = packed<Sum>(ta, m, k, a, lda, panel_rows);
    const std::vector<Sum> right = packed<Sum>(!tb, n, k, b, ldb, panel_columns);
    Sum tile[panel_columns * panel_rows];
    for (std::size_t column = 0; column < n; column += panel_columns)
        for (std::size_t row = 0; row < m; row += panel_rows) {
            multiply_panels(k, &left[row * k], &right[column * k], tile);
            for (std::size_t j = 0; j < panel_columns && column + j < n; ++j)
                for (std::size_t i = 0; i < panel_rows && row + i < m; ++i) {
                    Out& place = c[(column + j) * ldc + row + i];
                    const double before = beta == 0 ? 0 : beta * static_cast<double>(wide(place));
                    put(place, alpha * static_cast<double>(tile[j * panel_rows + i]) + before);
                }
        }
}

}  // namespace foretell::closed
