#include "ages.hpp"

#include <algorithm>
#include <cmath>

namespace foretell::ages {

namespace {

constexpr int kMostSteps = 200;

struct Point {
    double streamed, capacity;
    std::vector<std::pair<double, double>> arrays;  // bytes, and how often each of their lines is met

    // What fills the cache in a part of the nest, about, and how fast that grows there.
    std::pair<double, double> filled(double part) const {
        double total = streamed * part, growth = streamed;
        for (const auto& [bytes, met] : arrays) {
            const double left = std::exp(-(part * met));
            total += bytes * (1.0 - left);
            growth += bytes * met * left;
        }
        return {total, growth};
    }
    bool fits(double part) const {
        double total = streamed * part;
        for (const auto& [bytes, met] : arrays) total += bytes * -std::expm1(-(part * met));
        return total < capacity;
    }
};

// What fills the cache grows ever more slowly: Newton's steps from below never go too far.
double age(const Point& point, std::int64_t parts) {
    const double whole = static_cast<double>(parts), most = (whole - 1.0) / whole;
    double growth = point.streamed;
    for (const auto& [bytes, met] : point.arrays) growth += bytes * met;
    double part = std::min(point.capacity / growth, most);
    for (int step = 0; step < kMostSteps && part < most; ++step) {
        const auto [total, slope] = point.filled(part);
        const double further = (point.capacity - total) / slope;
        if (!(further > 0.0)) break;
        part = std::min(part + further, most);
        if (further < 0.5 / whole) break;
    }
    double number = std::floor(part * whole);
    while (number > 0.0 && !point.fits(number / whole)) number -= 1.0;
    while (number < whole - 1.0 && point.fits((number + 1.0) / whole)) number += 1.0;
    return number / whole;
}

}  // namespace

void ages(const Numbers& streamed, const Numbers& capacity, const std::vector<Scattered>& arrays, std::int64_t parts,
          std::size_t points, double* out) {
    const auto at = [](const Numbers& numbers, std::size_t k) { return numbers.first[numbers.second * k]; };
    Point point;
    point.arrays.resize(arrays.size());
    for (std::size_t k = 0; k < points; ++k) {
        point.streamed = at(streamed, k), point.capacity = at(capacity, k);
        for (std::size_t n = 0; n < arrays.size(); ++n) {
            const double bytes = at(arrays[n].bytes, k);
            point.arrays[n] = {bytes, at(arrays[n].swept, k) / bytes};
        }
        out[k] = age(point, parts);
    }
}

}  // namespace foretell::ages
