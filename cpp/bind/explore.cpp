#include "bind.hpp"

#include "explore/pareto.hpp"
#include "explore/summary.hpp"

namespace {

namespace pareto = foretell::pareto;
using Bits = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Objectives as pointers, all of one length; sets `points` to that length.
pareto::Columns objective_columns(const std::vector<Array>& given, std::size_t& points) {
    pareto::Columns columns;
    points = given.empty() ? 0 : given.front().shape(0);
    for (const Array& array : given) {
        if (array.shape(0) != points) throw std::invalid_argument("objectives of different lengths");
        columns.push_back(array.data());
    }
    return columns;
}

auto front(const std::vector<Array>& objectives) {
    std::size_t points;
    const auto columns = objective_columns(objectives, points);
    return owned(released([&] { return pareto::front(columns, points); }));
}

auto survivors(const std::vector<Array>& objectives, const std::vector<Array>& rivals) {
    std::size_t points, rival_count;
    const auto columns = objective_columns(objectives, points);
    const auto others = objective_columns(rivals, rival_count);
    return owned(released([&] { return pareto::survivors(columns, points, others, rival_count); }));
}

auto bins(const Bits& bits, int shift) {
    foretell::Bins counted = released([&] { return foretell::bins(bits.data(), bits.shape(0), shift); });
    return std::pair(counted.first, std::move(counted.counts));
}

}  // namespace

void bind_explore(nb::module_& m) {
    m.def("pareto_front", &front, nb::arg("objectives"),
          "Points that no other point dominates, ascending; all objectives are minimised.");
    m.def("pareto_survivors", &survivors, nb::arg("objectives"), nb::arg("rivals"),
          "Points that none of the few rivals dominates, ascending.");
    m.def("summary_bins", &bins, nb::arg("bits"), nb::arg("shift"),
          "The least of the numbers shifted to the right, and how often it and each one after it occurs.");
}
