#include "tape/steps.hpp"

#include <algorithm>
#include <cmath>

#include "common/exponential.hpp"
#include "common/simd.hpp"

namespace foretell::tape {

namespace {

constexpr double kWhole = 4503599627370496.0;  // 2^52: integers below it divide exactly

// The result may alias an operand, element by element.
template <typename F>
FORETELL_INLINE void each(double* out, const double* a, std::size_t n, F f) {
#pragma GCC ivdep
    for (std::size_t k = 0; k < n; ++k) out[k] = f(a[k]);
}

template <typename F>
FORETELL_INLINE void each(double* out, const double* a, const double* b, std::size_t n, F f) {
#pragma GCC ivdep
    for (std::size_t k = 0; k < n; ++k) out[k] = f(a[k], b[k]);
}

template <typename F>
FORETELL_INLINE void each(double* out, const double* a, const double* b, const double* c, std::size_t n, F f) {
#pragma GCC ivdep
    for (std::size_t k = 0; k < n; ++k) out[k] = f(a[k], b[k], c[k]);
}

FORETELL_CLONES void arithmetic(Op op, double* out, const double* a, const double* b, std::size_t n) {
    switch (op) {
        case Op::add: return each(out, a, b, n, [](double x, double y) { return x + y; });
        case Op::subtract: return each(out, a, b, n, [](double x, double y) { return x - y; });
        case Op::multiply: return each(out, a, b, n, [](double x, double y) { return x * y; });
        case Op::divide: return each(out, a, b, n, [](double x, double y) { return x / y; });
        case Op::minimum:  // nan propagates, as in numpy
            return each(out, a, b, n, [](double x, double y) { return (x < y) | (x != x) ? x : y; });
        case Op::maximum: return each(out, a, b, n, [](double x, double y) { return (x > y) | (x != x) ? x : y; });
        default: return;
    }
}

FORETELL_CLONES void comparison(Op op, double* out, const double* a, const double* b, std::size_t n) {
    switch (op) {
        case Op::greater: return each(out, a, b, n, [](double x, double y) { return x > y ? 1.0 : 0.0; });
        case Op::greater_equal: return each(out, a, b, n, [](double x, double y) { return x >= y ? 1.0 : 0.0; });
        case Op::less: return each(out, a, b, n, [](double x, double y) { return x < y ? 1.0 : 0.0; });
        case Op::less_equal: return each(out, a, b, n, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
        case Op::equal: return each(out, a, b, n, [](double x, double y) { return x == y ? 1.0 : 0.0; });
        case Op::not_equal: return each(out, a, b, n, [](double x, double y) { return x != y ? 1.0 : 0.0; });
        case Op::logical_and:
            return each(out, a, b, n, [](double x, double y) { return (x != 0.0) & (y != 0.0) ? 1.0 : 0.0; });
        case Op::logical_or:
            return each(out, a, b, n, [](double x, double y) { return (x != 0.0) | (y != 0.0) ? 1.0 : 0.0; });
        default: return;
    }
}

FORETELL_CLONES void of_one(Op op, double* out, const double* a, std::size_t n) {
    switch (op) {
        case Op::logical_not: return each(out, a, n, [](double x) { return x == 0.0 ? 1.0 : 0.0; });
        case Op::negative: return each(out, a, n, [](double x) { return -x; });
        case Op::absolute: return each(out, a, n, [](double x) { return std::fabs(x); });
        case Op::floor: return each(out, a, n, [](double x) { return std::floor(x); });
        case Op::truncate: return each(out, a, n, [](double x) { return std::trunc(x); });
        case Op::exponential: return each(out, a, n, [](double x) { return raised(x); });
        case Op::exponential_less_one: return each(out, a, n, [](double x) { return raised_less_one(x); });
        case Op::isfinite: return each(out, a, n, [](double x) { return x - x == 0.0 ? 1.0 : 0.0; });
        case Op::number: return each(out, a, n, [](double x) { return x; });
        default: return;
    }
}

FORETELL_CLONES void of_three(Op op, double* out, const double* a, const double* b, const double* c, std::size_t n) {
    if (op == Op::select) return each(out, a, b, c, n, [](double s, double x, double y) { return s != 0.0 ? x : y; });
    // Weighted mean; an operand of weight zero may be infinite.
    each(out, a, b, c, n, [](double s, double x, double y) {
        const double way = x - y, apart = (s != 0.0 ? x : 0.0) * s + (s < 1.0 ? y : 0.0) * (1.0 - s);
        return way - way == 0.0 ? y + s * way : apart;
    });
}

FORETELL_CLONES bool all_whole(const double* a, const double* b, std::size_t n) {
    int others = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const bool fine = (std::floor(a[k]) == a[k]) & (std::floor(b[k]) == b[k]) & (std::fabs(a[k]) < kWhole) &
                          (std::fabs(b[k]) < kWhole) & (b[k] != 0.0);
        others |= fine ? 0 : 1;
    }
    return others == 0;
}

FORETELL_CLONES void whole_division(Op op, double* out, const double* a, const double* b, std::size_t n) {
    if (op == Op::floor_divide) return each(out, a, b, n, [](double x, double y) { return std::floor(x / y); });
    each(out, a, b, n, [](double x, double y) {
        const double rest = x - std::floor(x / y) * y;
        return rest != 0.0 ? rest : std::copysign(0.0, y);  // as `divided`
    });
}

// Python's division: the remainder has the sign of the divisor.
double divided(Op op, double x, double y) {
    double rest = std::fmod(x, y);
    if (y == 0.0) return op == Op::floor_divide ? x / y : rest;
    double times = (x - rest) / y;
    if (rest != 0.0) {
        if ((y < 0.0) != (rest < 0.0)) rest += y, times -= 1.0;
    } else {
        rest = std::copysign(0.0, y);
    }
    if (op == Op::remainder) return rest;
    if (times == 0.0) return std::copysign(0.0, x / y);
    const double down = std::floor(times);
    return times - down > 0.5 ? down + 1.0 : down;
}

FORETELL_CLONES void look_up(const Table& table, double* out, const double* a, std::size_t n) {
    const double* heights = table.heights.data();
    const double* rises = table.rises.data();
    const double from = table.from, per_step = table.per_step, last = static_cast<double>(table.rises.size());
    const int end = static_cast<int>(table.rises.size()) - 1;
#pragma GCC ivdep
    for (std::size_t k = 0; k < n; ++k) {
        const double along = (a[k] - from) * per_step;
        const double position = along > 0.0 ? (along < last ? along : last) : 0.0;
        const int step = std::min(static_cast<int>(position), end);
        const double height = heights[step] + (position - static_cast<double>(step)) * rises[step];
        out[k] = along == along ? height : along;
    }
}

}  // namespace

void run(const Step& step, std::size_t first, std::size_t points) {
    double* out = step.out + (step.in_column ? first : 0);
    const double *a = step.a.from(first), *b = step.b.from(first);
    if (step.op <= Op::maximum) return arithmetic(step.op, out, a, b, points);
    if (step.op <= Op::remainder) {
        if (all_whole(a, b, points)) return whole_division(step.op, out, a, b, points);
        return each(out, a, b, points, [&](double x, double y) { return divided(step.op, x, y); });
    }
    if (step.op <= Op::logical_or) return comparison(step.op, out, a, b, points);
    if (step.op <= Op::number) return of_one(step.op, out, a, points);
    if (step.op == Op::look_up) return look_up(*step.table, out, a, points);
    of_three(step.op, out, a, b, step.c.from(first), points);
}

}  // namespace foretell::tape
