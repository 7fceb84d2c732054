// Fronts of any points, infinite and undefined values included, against the definition.
#include "explore/pareto.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace foretell::pareto;
    if (size < 1) return 0;
    const std::size_t objectives = 1 + data[0] % max_objectives, points = (size - 1) / objectives;
    std::vector<std::vector<double>> values(objectives, std::vector<double>(points));
    Columns columns;
    for (std::size_t k = 0; k < objectives; ++k) {
        for (std::size_t p = 0; p < points; ++p) {
            const std::uint8_t byte = data[1 + k * points + p];
            values[k][p] = byte == 255 ? HUGE_VAL : byte == 254 ? NAN : byte - 100.0;
        }
        columns.push_back(values[k].data());
    }
    const auto finite = [&](std::size_t p) {
        for (const auto& column : values)
            if (!std::isfinite(column[p])) return false;
        return true;
    };
    const auto dominates = [&](std::size_t a, std::size_t b) {  // or equals, and comes first
        bool better = false;
        for (const auto& column : values) {
            if (column[a] > column[b]) return false;
            better |= column[a] < column[b];
        }
        return better || a < b;
    };
    std::vector<std::int64_t> expected;
    for (std::size_t p = 0; p < points; ++p) {
        bool kept = finite(p);
        for (std::size_t q = 0; q < points && kept; ++q) kept = q == p || !finite(q) || !dominates(q, p);
        if (kept) expected.push_back(static_cast<std::int64_t>(p));
    }
    if (front(columns, points) != expected) std::abort();
    return 0;
}
