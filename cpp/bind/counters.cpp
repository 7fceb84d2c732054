#include "bind.hpp"

#include <nanobind/stl/pair.h>

#include <cmath>

#include "../counters.hpp"

namespace {

namespace ct = foretell::counters;

ct::Target counters_target(const foretell::Shape& shape, const std::vector<AnyArray>& columns) {
    if (columns.size() != ct::target_columns)
        throw std::invalid_argument("expected " + std::to_string(ct::target_columns) + " target columns");
    ct::Target target;
    auto* fields = reinterpret_cast<foretell::Column*>(&target);
    for (std::size_t k = 0; k < columns.size(); ++k) fields[k] = box_column(columns[k], shape);
    return target;
}

// A struct of doubles from a list of as many numbers.
template <typename Struct>
Struct filled(const std::vector<double>& values) {
    if (values.size() != sizeof(Struct) / sizeof(double)) throw std::invalid_argument("wrong number of values");
    Struct result;
    std::memcpy(&result, values.data(), sizeof result);
    return result;
}

template <typename Struct>
nb::typed<nb::dict, nb::str, double> named(const Struct& given, const char* const* names) {
    double values[sizeof(Struct) / sizeof(double)];
    std::memcpy(values, &given, sizeof values);
    nb::typed<nb::dict, nb::str, double> result;
    for (std::size_t k = 0; k < sizeof(Struct) / sizeof(double); ++k) result[names[k]] = values[k];
    return result;
}

// A curve from pairs of bytes and misses (growing sizes, fewer misses, none of them zero), and what its loops touch.
using Given = std::tuple<std::vector<std::pair<double, double>>, double, double>;
ct::Curve curve_of(const Given& given) {
    const auto& [points, loop_bytes, loop_misses] = given;
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
    nb::enum_<ct::Middle>(m, "Middle")
        .value("none", ct::Middle::none)
        .value("buffer", ct::Middle::buffer)
        .value("cache", ct::Middle::cache);

    nb::class_<ct::Rules>(m, "CountersRules")
        .def(nb::init<>())
        .def_rw("core_ratio", &ct::Rules::core_ratio)
        .def_rw("count_threads", &ct::Rules::count_threads)
        .def_rw("queue_threads", &ct::Rules::queue_threads)
        .def_rw("out_of_order", &ct::Rules::out_of_order)
        .def_rw("queue_memory", &ct::Rules::queue_memory)
        .def_rw("floors", &ct::Rules::floors)
        .def_rw("cap_ipc", &ct::Rules::cap_ipc)
        .def_rw("local_miss_rates", &ct::Rules::local_miss_rates)
        .def_rw("target_line", &ct::Rules::target_line)
        .def_rw("scale_traffic", &ct::Rules::scale_traffic)
        .def_rw("clamp_overlap", &ct::Rules::clamp_overlap)
        .def_rw("calibrate", &ct::Rules::calibrate)
        .def_rw("middle", &ct::Rules::middle);

    m.def(
        "counters_analysis",
        [](const std::vector<double>& events, const std::vector<double>& base, const ct::Rules& rules) {
            return named(ct::analyse(filled<ct::Events>(events), filled<ct::Base>(base), rules), ct::analysis_names);
        },
        nb::arg("events"), nb::arg("base"), nb::arg("rules"), "The baseline of one code block, times in cycles.");

    m.def(
        "counters_terms",
        [](const std::vector<double>& events, const Given& curve, const std::vector<double>& base,
           const std::vector<AnyArray>& target, const ct::Rules& rules) {
            const ct::Target columns = counters_target({1}, target);
            return named(
                ct::evaluate(filled<ct::Events>(events), curve_of(curve), filled<ct::Base>(base), columns, rules),
                ct::term_names);
        },
        nb::arg("events"), nb::arg("curve"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "All terms of the counter model of one code block, times in cycles of the target.");

    m.def(
        "counters_times",
        [](const foretell::Shape& shape, const std::vector<std::vector<double>>& events,
           const std::vector<Given>& curves, const std::vector<double>& base,
           const std::vector<AnyArray>& target, const ct::Rules& rules) {
            if (curves.size() != events.size()) throw std::invalid_argument("expected a curve for each block");
            std::vector<ct::Events> blocks;
            std::vector<ct::Curve> bends;
            for (const auto& block : events) blocks.push_back(filled<ct::Events>(block));
            for (const auto& curve : curves) bends.push_back(curve_of(curve));
            const ct::Base machine = filled<ct::Base>(base);
            const ct::Target columns = counters_target(shape, target);
            auto* times = new std::vector<double>(foretell::points_of(shape));
            {
                nb::gil_scoped_release release;
                ct::sweep(blocks, bends, machine, columns, rules, shape, times->data());
            }
            return owned(times);
        },
        nb::arg("shape"), nb::arg("events"), nb::arg("curves"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "Seconds of all code blocks at every design point of a box, in one row.");
}
