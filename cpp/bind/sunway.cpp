#include "bind.hpp"

#include <nanobind/stl/variant.h>

#include <variant>

#include "../sunway.hpp"

namespace {

using Given = std::variant<double, Array>;  // the same at all points, or one value for each
using ChunkArrays = std::tuple<Given, Given, Given>;
using RequestArrays = std::tuple<Given, std::vector<ChunkArrays>, bool>;

// Turns numbers and arrays of length 1 or `points` into columns, which last as long as what is given.
class Columns {
public:
    explicit Columns(std::size_t points) : points_(points) {}

    foretell::sunway::Column operator()(const Given& given) const {
        if (const double* number = std::get_if<double>(&given)) return {number, 0};
        const auto [data, stride] = column(std::get<Array>(given), points_);
        return {data, stride};
    }

    std::vector<foretell::sunway::Request> requests(const std::vector<RequestArrays>& given) const {
        std::vector<foretell::sunway::Request> result;
        for (const auto& [count, chunks, out] : given) {
            foretell::sunway::Request request{(*this)(count), {}, out};
            for (const auto& [bytes, pieces, offset] : chunks)
                request.chunks.push_back({(*this)(bytes), (*this)(pieces), (*this)(offset)});
            result.push_back(std::move(request));
        }
        return result;
    }

private:
    std::size_t points_;
};

struct SunwayCall {
    foretell::sunway::Machine machine;
    foretell::sunway::Work work;
};

// Counts, DMA requests and Gloads of some chunks of one CPE.
using WorkArrays = std::tuple<std::vector<Given>, std::vector<RequestArrays>, std::vector<RequestArrays>>;

foretell::sunway::Work sunway_work(const Columns& columns, const WorkArrays& given) {
    const auto& [counts, dma, gload] = given;
    if (counts.size() != 10) throw std::invalid_argument("expected 10 work columns");
    const auto w = [&](std::size_t k) { return columns(counts[k]); };
    return {w(0), w(1), w(2), w(3), w(4), w(5), w(6), w(7), w(8), w(9), columns.requests(dma), columns.requests(gload),
            {}};
}

// The busiest CPE first, then its parts.
SunwayCall sunway_call(std::size_t points, const std::vector<Given>& machine, const std::vector<WorkArrays>& works) {
    if (machine.size() != 11 || (works.size() != 1 && works.size() != 3))
        throw std::invalid_argument("expected 11 machine columns, and one or three kinds of work");
    const Columns columns(points);
    const auto m = [&](std::size_t k) { return columns(machine[k]); };
    SunwayCall call{{m(0), m(1), m(2), m(3), m(4), m(5), m(6), m(7), m(8), m(9), m(10)},
                    sunway_work(columns, works[0])};
    for (std::size_t k = 1; k < works.size(); ++k) call.work.parts.push_back(sunway_work(columns, works[k]));
    return call;
}

}  // namespace

void bind_sunway(nb::module_& m) {
    namespace sw = foretell::sunway;
    nb::enum_<sw::Rounding>(m, "Rounding")
        .value("none", sw::Rounding::none)
        .value("floor", sw::Rounding::floor)
        .value("round", sw::Rounding::round)
        .value("ceil", sw::Rounding::ceil);

    nb::enum_<sw::Overlap>(m, "Overlap")
        .value("virtual_groups", sw::Overlap::groups)
        .value("queue", sw::Overlap::queue)
        .value("rounds", sw::Overlap::rounds);

    nb::class_<sw::Rules>(m, "SunwayRules")
        .def(nb::init<>())
        .def_rw("mrp", &sw::Rules::mrp)
        .def_rw("groups", &sw::Rules::groups)
        .def_rw("latency_floor_average", &sw::Rules::latency_floor_average)
        .def_rw("transactions_per_chunk", &sw::Rules::transactions_per_chunk)
        .def_rw("divide_unpipelined", &sw::Rules::divide_unpipelined)
        .def_rw("double_buffer_consistent", &sw::Rules::double_buffer_consistent)
        .def_rw("core_groups_apart", &sw::Rules::core_groups_apart)
        .def_rw("overlap", &sw::Rules::overlap);

    m.def(
        "sunway_terms",
        [](const std::vector<Given>& machine, const std::vector<WorkArrays>& works, const sw::Rules& rules) {
            const SunwayCall call = sunway_call(1, machine, works);
            sw::Terms terms;
            sw::evaluate(call.machine, call.work, rules, 0, 1, terms);
            nb::typed<nb::dict, nb::str, double> result;
#define X(name) result[#name] = terms.name[0];
            FORETELL_SUNWAY_TERMS(X)
#undef X
            return result;
        },
        nb::arg("machine"), nb::arg("works"), nb::arg("rules"),
        "All terms of the SW26010 model at one design point, times in cycles but time_s.");

    m.def(
        "sunway_times",
        [](std::size_t points, const std::vector<Given>& machine, const std::vector<WorkArrays>& works,
           const sw::Rules& rules) {
            const SunwayCall call = sunway_call(points, machine, works);
            auto* times = new std::vector<double>(points);
            {
                nb::gil_scoped_release release;
                sw::sweep(call.machine, call.work, rules, points, times->data());
            }
            return owned(times);
        },
        nb::arg("points"), nb::arg("machine"), nb::arg("works"), nb::arg("rules"),
        "Seconds of every design point.");
}
