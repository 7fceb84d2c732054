#include <cmath>

#include "counters/counters.hpp"
#include "named.hpp"

namespace {

namespace ct = foretell::counters;

using Numbers = Named<double>;
using Columns = Named<AnyArray>;

ct::Target target_of(const foretell::Shape& shape, const Columns& given) {
    ct::Target target;
    NameReader read(given);
#define X(name, parts) target[ct::name##_] = box_column(read.get<AnyArray>(#name), shape);
    FORETELL_COUNTERS_TARGET(X)
#undef X
    read.finish();
    return target;
}

// Points are bytes and misses: ascending sizes, descending misses, none of them zero.
ct::Curve curve_of(const std::vector<std::pair<double, double>>& points, double loop_bytes, double loop_misses) {
    ct::Curve curve{{}, {}, loop_bytes, loop_misses};
    for (const auto& [size, misses] : points) {
        if (!(size > 0 && misses > 0)) throw std::invalid_argument("a curve of misses needs positive numbers");
        curve.log_size.push_back(std::log(size));
        curve.log_misses.push_back(std::log(misses));
    }
    return curve;
}

}  // namespace

void bind_counters(nb::module_& m) {
    FORETELL_ENUM(ct::Middle, "Middle", none, buffer, cache);

#define X(name, ...) .def_rw(#name, &Struct::name)
    FORETELL_LISTED_INPUT(ct::Rules, FORETELL_COUNTERS_RULES(X) X(middle), "CountersRules")
#undef X

    nb::class_<ct::Curve>(m, "CountersCurve",
                          "Misses of a block against the size of a cache; without points: the square-root law.")
        .def(nb::new_(&curve_of), nb::kw_only(), nb::arg("points") = nb::make_tuple(), nb::arg("loop_bytes") = 0.0,
             nb::arg("loop_misses") = 0.0);

    m.def(
        "counters_analysis",
        [](const Numbers& events, const Numbers& base, const ct::Rules& rules) {
            return to_names(ct::analyse(from_names<ct::Events>(events), from_names<ct::Base>(base), rules));
        },
        nb::arg("events"), nb::arg("base"), nb::arg("rules"), "The baseline of one code block, times in cycles.");

    m.def(
        "counters_terms",
        [](const Numbers& events, const ct::Curve& curve, const Numbers& base, const Columns& target,
           const ct::Rules& rules) {
            const ct::Target columns = target_of({1}, target);
            return to_names(
                ct::evaluate(from_names<ct::Events>(events), curve, from_names<ct::Base>(base), columns, rules));
        },
        nb::arg("events"), nb::arg("curve"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "All terms of the counter model of one code block, times in cycles of the target.");

    m.def(
        "counters_times",
        [](const foretell::Shape& shape, const std::vector<Numbers>& events, const std::vector<ct::Curve>& curves,
           const Numbers& base, const Columns& target, const ct::Rules& rules) {
            if (curves.size() != events.size()) throw std::invalid_argument("expected a curve for each block");
            std::vector<ct::Events> blocks;
            for (const Numbers& block : events) blocks.push_back(from_names<ct::Events>(block));
            const auto machine = from_names<ct::Base>(base);
            const ct::Target columns = target_of(shape, target);
            std::vector<double> times(foretell::points_of(shape));
            released([&] { ct::sweep(blocks, curves, machine, columns, rules, shape, times.data()); });
            return owned(std::move(times));
        },
        nb::arg("shape"), nb::arg("events"), nb::arg("curves"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "Seconds of all code blocks at every design point of a box, in one row.");
}
