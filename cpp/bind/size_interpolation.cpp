#include "bind.hpp"

#include <algorithm>

#include "incore/size_interpolation.hpp"

namespace {

namespace interpolation = foretell::size_interpolation;

using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Sides = std::vector<std::tuple<Whole, Whole, Array>>;

constexpr std::size_t kMostSides = 16;

std::vector<interpolation::Side> checked(const Sides& given, std::size_t points) {
    if (given.empty() || given.size() > kMostSides) throw std::invalid_argument("no sides, or too many");
    std::vector<interpolation::Side> sides;
    for (const auto& [low, high, weight] : given) {
        if (low.shape(0) != points || high.shape(0) != points || weight.shape(0) != points)
            throw std::invalid_argument("sides of different lengths");
        sides.push_back({low.data(), high.data(), weight.data()});
    }
    return sides;
}

}  // namespace

void bind_size_interpolation(nb::module_& m) {
    m.def(
        "interpolation_around",
        [](const Whole& sizes, const std::vector<std::int64_t>& steps, std::int64_t period, std::int64_t alike,
           std::int64_t lanes) {
            const std::size_t count = sizes.shape(0);
            std::vector<std::int64_t> low(count), high(count);
            std::vector<double> weight(count);
            interpolation::around(sizes.data(), count, steps, period, {alike, lanes},
                                  {low.data(), high.data(), weight.data()});
            return std::make_tuple(owned(std::move(low)), owned(std::move(high)), owned(std::move(weight)));
        },
        nb::arg("sizes"), nb::arg("steps"), nb::arg("period"), nb::arg("alike"), nb::arg("lanes"),
        "The sampled sizes below and above each size, and the weight of the upper one.");
    m.def(
        "interpolation_corners",
        [](const Sides& given, std::size_t points) {
            const auto sides = checked(given, points);
            interpolation::Corners corners = interpolation::corners(sides, points);
            return std::make_pair(owned(std::move(corners.rows)), owned(std::move(corners.numbers)));
        },
        nb::arg("sides"), nb::arg("points"),
        "The different combinations of sampled sizes among the corners of all points, and the number of each "
        "corner's.");
    m.def(
        "interpolation_sums",
        [](const Sides& given, const Numbers& numbers, const Costs& costs) {
            const std::size_t points = numbers.shape(0) >> given.size(), kinds = costs.shape(1);
            const auto sides = checked(given, points);
            if (numbers.shape(0) != points << given.size()) throw std::invalid_argument("corners of other points");
            const auto [least, most] = std::minmax_element(numbers.data(), numbers.data() + numbers.shape(0));
            if (points > 0 && (*least < 0 || static_cast<std::size_t>(*most) >= kinds))
                throw std::invalid_argument("a corner without a cost");
            std::vector<double> result(costs.shape(0) * points);
            interpolation::sums(sides, numbers.data(), costs.data(), kinds, costs.shape(0), points, result.data());
            return owned(std::move(result));
        },
        nb::arg("sides"), nb::arg("numbers"), nb::arg("costs"),
        "Columns of costs at the corners of each point, by their weights; one column behind the other.");
}
