#include "ages.hpp"

#include <algorithm>
#include <cmath>

#include "exponential.hpp"

namespace foretell::ages {

namespace {

constexpr int kMostSteps = 200;
constexpr std::size_t kBlock = 32;

// Some points, one behind the other.
struct Block {
    struct Array {
        double bytes[kBlock] = {}, met[kBlock] = {};  // and how often each of its lines is met
    };
    std::size_t count = 0;
    double streamed[kBlock] = {}, capacity[kBlock] = {}, part[kBlock] = {}, total[kBlock] = {}, growth[kBlock] = {};
    std::vector<Array> arrays;
};

// What fills the cache in a part of the nest, and how fast that grows there.
FORETELL_CLONES void fill(Block& b) {
    double *__restrict total = b.total, *__restrict growth = b.growth;
    const double* __restrict part = b.part;
    for (std::size_t k = 0; k < kBlock; ++k) total[k] = b.streamed[k] * part[k], growth[k] = b.streamed[k];
    for (const Block::Array& array : b.arrays) {
        const double *__restrict bytes = array.bytes, *__restrict met = array.met;
        for (std::size_t k = 0; k < kBlock; ++k) {
            const double left = raised_less_one(-(part[k] * met[k]));
            total[k] += bytes[k] * -left;
            growth[k] += bytes[k] * met[k] * (1.0 + left);
        }
    }
}

// What fills the cache grows ever more slowly: Newton's steps from below never go too far. The longest that was made.
FORETELL_CLONES double step(Block& b, double most) {
    double made[kBlock];
    double* __restrict part = b.part;
    for (std::size_t k = 0; k < kBlock; ++k) {
        const double further = (b.capacity[k] - b.total[k]) / b.growth[k];
        const double next = part[k] + (further > 0.0 ? further : 0.0), kept = next < most ? next : most;
        made[k] = kept - part[k];
        part[k] = kept;
    }
    return *std::max_element(made, made + b.count);
}

bool fits(const Block& b, std::size_t k, double part) {
    double total = b.streamed[k] * part;
    for (const Block::Array& array : b.arrays) total += array.bytes[k] * -std::expm1(-(part * array.met[k]));
    return total < b.capacity[k];
}

// The number of the last part in which the cache is not full, from one that is near it.
double exactly(const Block& b, std::size_t k, double number, double whole) {
    while (number > 0.0 && !fits(b, k, number / whole)) number -= 1.0;
    while (number < whole - 1.0 && fits(b, k, (number + 1.0) / whole)) number += 1.0;
    return number;
}

void solve(Block& b, double whole, double* out) {
    constexpr double kNear = 1e-12;  // of the cache: nearer to its size, rounding decides
    const double most = (whole - 1.0) / whole;
    std::fill(b.part, b.part + kBlock, 0.0);
    for (int steps = 0; steps < kMostSteps; ++steps) {
        fill(b);
        if (step(b, most) * whole < 0.5) break;
    }
    double number[kBlock], below[kBlock];
    for (std::size_t k = 0; k < kBlock; ++k) number[k] = std::floor(b.part[k] * whole), b.part[k] = number[k] / whole;
    fill(b);
    std::copy(b.total, b.total + kBlock, below);
    for (std::size_t k = 0; k < kBlock; ++k) b.part[k] = (number[k] + 1.0) / whole;
    fill(b);
    for (std::size_t k = 0; k < b.count; ++k) {
        const bool sure = below[k] < b.capacity[k] * (1.0 - kNear) &&
                          (b.total[k] > b.capacity[k] * (1.0 + kNear) || number[k] >= whole - 1.0);
        out[k] = (sure ? number[k] : exactly(b, k, number[k], whole)) / whole;
    }
}

}  // namespace

void ages(const Numbers& streamed, const Numbers& capacity, const std::vector<Scattered>& arrays, std::int64_t parts,
          std::size_t points, double* out) {
    const auto at = [](const Numbers& numbers, std::size_t k) { return numbers.first[numbers.second * k]; };
    Block b;
    b.arrays.resize(arrays.size());
    for (std::size_t first = 0; first < points; first += kBlock) {
        b.count = std::min(kBlock, points - first);
        for (std::size_t k = 0; k < b.count; ++k) {
            b.streamed[k] = at(streamed, first + k), b.capacity[k] = at(capacity, first + k);
            for (std::size_t n = 0; n < arrays.size(); ++n) {
                b.arrays[n].bytes[k] = at(arrays[n].bytes, first + k);
                b.arrays[n].met[k] = at(arrays[n].swept, first + k) / b.arrays[n].bytes[k];
            }
        }
        solve(b, static_cast<double>(parts), out + first);
    }
}

}  // namespace foretell::ages
