#include "explore/summary.hpp"

#include <utility>

#include "common/simd.hpp"

namespace foretell {

namespace {

struct Span {
    std::int64_t low, high;
};

FORETELL_CLONES Span span(const std::int64_t* numbers, std::size_t count) {
    std::int64_t low = numbers[0], high = numbers[0];
    for (std::size_t k = 0; k < count; ++k) {
        low = numbers[k] < low ? numbers[k] : low;
        high = numbers[k] > high ? numbers[k] : high;
    }
    return {low, high};
}

}  // namespace

Bins bins(const std::int64_t* numbers, std::size_t count, int shift) {
    if (count == 0) return {0, {}};
    const auto [low, high] = span(numbers, count);
    const std::int64_t first = low >> shift;
    const std::size_t width = static_cast<std::size_t>((high >> shift) - first) + 1;
    // Adjacent numbers often have the same bin, and each addition would depend on the previous one: four counters
    // alternate.
    constexpr std::size_t turns = 4;
    std::vector<std::int64_t> counts(turns * width);
    const auto bin = [&](std::size_t k) { return static_cast<std::size_t>((numbers[k] >> shift) - first); };
    std::size_t k = 0;
    for (; k + turns <= count; k += turns)
        for (std::size_t turn = 0; turn < turns; ++turn) ++counts[turn * width + bin(k + turn)];
    for (; k < count; ++k) ++counts[bin(k)];
    for (std::size_t turn = 1; turn < turns; ++turn)
        for (std::size_t n = 0; n < width; ++n) counts[n] += counts[turn * width + n];
    counts.resize(width);
    return {first, std::move(counts)};
}

}  // namespace foretell
