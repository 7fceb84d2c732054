#include "cachesim/lru_lifetime.hpp"

#include <algorithm>
#include <cmath>

#include "common/exponential.hpp"

namespace foretell::lru_lifetime {

namespace {

constexpr int kMostSteps = 200;
constexpr std::size_t kBlock = 32;

// A block of points.
struct Block {
    struct Array {
        double bytes[kBlock] = {}, accesses[kBlock] = {};  // bytes, and accesses per line
    };
    std::size_t count = 0;
    double streamed[kBlock] = {}, capacity[kBlock] = {};
    double often[kBlock] = {};  // maximum accesses per line over all arrays
    double part[kBlock] = {}, total[kBlock] = {}, growth[kBlock] = {};
    double aim[kBlock] = {}, further[kBlock] = {};  // target of the last step, and its length
    std::vector<Array> arrays;
};

// Lower bound of the lifetime: all lines are filled at the initial rate, or all are present.
FORETELL_CLONES void begin(Block& b, double most) {
    double held[kBlock] = {}, growth[kBlock] = {};
    for (const Block::Array& array : b.arrays) {
        for (std::size_t k = 0; k < kBlock; ++k) {
            held[k] += array.bytes[k];
            growth[k] += array.bytes[k] * array.accesses[k];
            b.often[k] = array.accesses[k] > b.often[k] ? array.accesses[k] : b.often[k];
        }
    }
    for (std::size_t k = 0; k < kBlock; ++k) {
        const double first = b.capacity[k] / (b.streamed[k] + growth[k]),
                     later = (b.capacity[k] - held[k]) / b.streamed[k];
        const double least = later > first ? later : first, part = least > 0.0 ? least : 0.0;
        b.part[k] = part < most ? part : most;
    }
}

// Occupancy of the cache after a fraction of the nest, and its derivative.
FORETELL_CLONES void fill(Block& b) {
    double* __restrict total = b.total, * __restrict growth = b.growth;
    const double* __restrict part = b.part;
    for (std::size_t k = 0; k < kBlock; ++k) total[k] = b.streamed[k] * part[k], growth[k] = b.streamed[k];
    for (const Block::Array& array : b.arrays) {
        const double* __restrict bytes = array.bytes, * __restrict accesses = array.accesses;
        for (std::size_t k = 0; k < kBlock; ++k) {
            const double left = raised_less_one(-(part[k] * accesses[k]));
            total[k] += bytes[k] * -left;
            growth[k] += bytes[k] * accesses[k] * (1.0 + left);
        }
    }
}

// Newton step: occupancy is concave, so steps from below never overshoot. Returns the longest step.
FORETELL_CLONES double step(Block& b, double most) {
    double made[kBlock];
    double* __restrict part = b.part, * __restrict aim = b.aim, * __restrict further = b.further;
    for (std::size_t k = 0; k < kBlock; ++k) {
        const double left = (b.capacity[k] - b.total[k]) / b.growth[k];
        further[k] = left > 0.0 ? left : 0.0;
        aim[k] = part[k] + further[k];
        const double kept = aim[k] < most ? aim[k] : most;
        made[k] = kept - part[k];
        part[k] = kept;
    }
    return *std::max_element(made, made + b.count);
}

// Index of the fraction of each point, and whether it is certain. A step of length d from below falls short by less
// than m d^2, if no line is accessed more than m times, as long as m d is small.
FORETELL_CLONES void number(const Block& b, double whole, double* __restrict numbers, double* __restrict sure) {
    constexpr double kNear = 1e-12;  // relative to the cache: closer to its size, rounding decides
    for (std::size_t k = 0; k < kBlock; ++k) {
        const double place = b.aim[k] * whole, down = std::floor(place), last = whole - 1.0;
        const double rounded = kNear * (b.capacity[k] / b.growth[k] + b.aim[k]) * whole,
                     bend = b.often[k] * b.further[k];
        const double found = down < last ? down : last;
        const bool above = place - found > rounded;
        const bool below =
            found == last || ((found + 1.0 - place > rounded + bend * b.further[k] * whole) & (bend < 0.1));
        numbers[k] = found > 0.0 ? found : 0.0;
        sure[k] = above & below ? 1.0 : 0.0;
    }
}

bool fits(const Block& b, std::size_t k, double part) {
    double total = b.streamed[k] * part;
    for (const Block::Array& array : b.arrays) total += array.bytes[k] * -std::expm1(-(part * array.accesses[k]));
    return total < b.capacity[k];
}

// Exact index of the last fraction in which the cache is not full, from an approximate one.
double exactly(const Block& b, std::size_t k, double number, double whole) {
    while (number > 0.0 && !fits(b, k, number / whole)) number -= 1.0;
    while (number < whole - 1.0 && fits(b, k, (number + 1.0) / whole)) number += 1.0;
    return number;
}

void solve(Block& b, double whole, double* out) {
    const double most = (whole - 1.0) / whole;
    begin(b, most);
    for (int steps = 0; steps < kMostSteps; ++steps) {
        fill(b);
        if (step(b, most) * whole < 0.5) break;
    }
    double numbers[kBlock], sure[kBlock];
    number(b, whole, numbers, sure);
    for (std::size_t k = 0; k < b.count; ++k)
        out[k] = (sure[k] != 0.0 ? numbers[k] : exactly(b, k, numbers[k], whole)) / whole;
}

}  // namespace

std::vector<double> lifetimes(const Numbers& streamed, const Numbers& capacity, const std::vector<Gathered>& arrays,
                              std::int64_t parts, std::size_t points) {
    std::vector<double> result(points);
    const auto at = [](const Numbers& numbers, std::size_t k) { return numbers.first[numbers.second * k]; };
    Block b;
    b.arrays.resize(arrays.size());
    for (std::size_t first = 0; first < points; first += kBlock) {
        std::fill(b.often, b.often + kBlock, 0.0);
        b.count = std::min(kBlock, points - first);
        for (std::size_t k = 0; k < b.count; ++k) {
            b.streamed[k] = at(streamed, first + k), b.capacity[k] = at(capacity, first + k);
            for (std::size_t n = 0; n < arrays.size(); ++n) {
                b.arrays[n].bytes[k] = at(arrays[n].bytes, first + k);
                b.arrays[n].accesses[k] = at(arrays[n].swept, first + k) / b.arrays[n].bytes[k];
            }
        }
        solve(b, static_cast<double>(parts), result.data() + first);
    }
    return result;
}

}  // namespace foretell::lru_lifetime
