#include "bind.hpp"

#include <nanobind/stl/variant.h>

#include <limits>
#include <variant>

#include "sunway/equations.hpp"

namespace {

namespace sw = foretell::sunway;

// One number for all points, or one for each; unset values make every result nan.
using Given = std::variant<double, Array>;
constexpr double unset = std::numeric_limits<double>::quiet_NaN();

// Structs of sunway/equations.hpp as Python fills them in.
#define X(name) Given name = unset;
struct GivenMachine {
    FORETELL_SUNWAY_MACHINE(X)
};
struct GivenChunk {
    FORETELL_SUNWAY_CHUNK(X)
};
struct GivenRequest {
    Given count = unset;
    std::vector<GivenChunk> chunks;
    bool out = false;
};
struct GivenWork {
    FORETELL_SUNWAY_WORK(X)
    std::vector<GivenRequest> dma, gload;
};
#undef X

// Converts numbers and arrays of length 1 or `points` to columns, valid as long as the input.
class Columns {
public:
    explicit Columns(std::size_t points) : points_(points) {}

#define X(name) (*this)(given.name),
    sw::Machine machine(const GivenMachine& given) const { return {FORETELL_SUNWAY_MACHINE(X)}; }

    sw::Work work(const GivenWork& given) const {
        return {FORETELL_SUNWAY_WORK(X) requests(given.dma), requests(given.gload)};
    }

private:
    sw::Chunk chunk(const GivenChunk& given) const { return {FORETELL_SUNWAY_CHUNK(X)}; }
#undef X

    sw::Column operator()(const Given& given) const {
        if (const double* number = std::get_if<double>(&given)) return {number, 0};
        const auto [data, stride] = column(std::get<Array>(given), points_);
        return {data, stride};
    }

    std::vector<sw::Request> requests(const std::vector<GivenRequest>& given) const {
        std::vector<sw::Request> result;
        for (const GivenRequest& one : given) {
            sw::Request& request = result.emplace_back(sw::Request{(*this)(one.count), {}, one.out});
            for (const GivenChunk& piece : one.chunks) request.chunks.push_back(chunk(piece));
        }
        return result;
    }

    std::size_t points_;
};

void bind_structs(nb::module_& m) {
#define X(name) .def_rw(#name, &Struct::name)
    {
        using Struct = GivenMachine;
        nb::class_<Struct>(m, "SunwayMachine").def(nb::init<>()) FORETELL_SUNWAY_MACHINE(X);
    }
    {
        using Struct = GivenChunk;
        nb::class_<Struct>(m, "SunwayChunk").def(nb::init<>()) FORETELL_SUNWAY_CHUNK(X);
    }
    {
        using Struct = GivenRequest;
        nb::class_<Struct>(m, "SunwayRequest").def(nb::init<>()) X(count) X(chunks) X(out);
    }
    {
        using Struct = GivenWork;
        nb::class_<Struct>(m, "SunwayWork").def(nb::init<>()) FORETELL_SUNWAY_WORK(X) X(dma) X(gload);
    }
#undef X
#define X(type, name, value) .def_rw(#name, &sw::Rules::name)
    nb::class_<sw::Rules>(m, "SunwayRules").def(nb::init<>()) FORETELL_SUNWAY_RULES(X);
#undef X
}

}  // namespace

void bind_sunway(nb::module_& m) {
    nb::enum_<sw::Rounding>(m, "Rounding")
        .value("none", sw::Rounding::none)
        .value("floor", sw::Rounding::floor)
        .value("round", sw::Rounding::round)
        .value("ceil", sw::Rounding::ceil);
    nb::enum_<sw::Overlap>(m, "Overlap")
        .value("virtual_groups", sw::Overlap::groups)
        .value("queue", sw::Overlap::queue);
    bind_structs(m);

    m.def(
        "sunway_terms",
        [](const GivenMachine& machine, const GivenWork& work, const sw::Rules& rules) {
            const Columns columns(1);
            sw::Terms terms;
            sw::evaluate(columns.machine(machine), columns.work(work), rules, 0, 1, terms);
            nb::typed<nb::dict, nb::str, double> result;
#define X(name) result[#name] = terms.name[0];
            FORETELL_SUNWAY_TERMS(X)
#undef X
            return result;
        },
        nb::arg("machine"), nb::arg("work"), nb::arg("rules"),
        "All terms of the SW26010 model at one design point, times in cycles but time_s.");

    m.def(
        "sunway_times",
        [](std::size_t points, const GivenMachine& machine, const GivenWork& work, const sw::Rules& rules) {
            const Columns columns(points);
            const sw::Machine on = columns.machine(machine);
            const sw::Work done = columns.work(work);
            auto* times = new std::vector<double>(points);
            {
                nb::gil_scoped_release release;
                sw::sweep(on, done, rules, points, times->data());
            }
            return owned(times);
        },
        nb::arg("points"), nb::arg("machine"), nb::arg("work"), nb::arg("rules"), "Seconds of every design point.");
}
