#include "bind.hpp"

#include "explore/pareto.hpp"

namespace {

// Objectives as pointers, all of one length; `points` becomes that length.
foretell::pareto::Columns objective_columns(const std::vector<Array>& given, std::size_t& points) {
    foretell::pareto::Columns columns;
    points = given.empty() ? 0 : given.front().shape(0);
    for (const Array& array : given) {
        if (array.shape(0) != points) throw std::invalid_argument("objectives of different lengths");
        columns.push_back(array.data());
    }
    return columns;
}

}  // namespace

void bind_pareto(nb::module_& m) {
    m.def(
        "pareto_front",
        [](const std::vector<Array>& objectives) {
            std::size_t points;
            const auto columns = objective_columns(objectives, points);
            auto* kept = new std::vector<std::int64_t>;
            {
                nb::gil_scoped_release release;
                *kept = foretell::pareto::front(columns, points);
            }
            return owned(kept);
        },
        nb::arg("objectives"), "Points that no other point dominates, ascending; all objectives are minimised.");

    m.def(
        "pareto_survivors",
        [](const std::vector<Array>& objectives, const std::vector<Array>& rivals) {
            std::size_t points, rival_count;
            const auto columns = objective_columns(objectives, points);
            const auto others = objective_columns(rivals, rival_count);
            auto* kept = new std::vector<std::int64_t>;
            {
                nb::gil_scoped_release release;
                *kept = foretell::pareto::survivors(columns, points, others, rival_count);
            }
            return owned(kept);
        },
        nb::arg("objectives"), nb::arg("rivals"), "Points that none of the few rivals dominates, ascending.");
}
