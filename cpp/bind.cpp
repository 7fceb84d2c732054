// The only file that knows nanobind. It checks shapes; the wrappers in Python check values.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "emulate.hpp"
#include "sunway.hpp"

namespace nb = nanobind;

namespace {

using Array = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ChunkArrays = std::tuple<Array, Array, Array>;
using RequestArrays = std::pair<Array, std::vector<ChunkArrays>>;

nb::ndarray<nb::numpy, double, nb::ndim<1>> owned(std::vector<double>* values) {
    nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return {values->data(), {values->size()}, owner};
}

// Turns arrays of length 1 or `points` into columns.
class Columns {
public:
    explicit Columns(std::size_t points) : points_(points) {}

    foretell::sunway::Column operator()(const Array& array) const {
        if (array.shape(0) != points_ && array.shape(0) != 1)
            throw std::invalid_argument("a column has " + std::to_string(array.shape(0)) + " values, expected 1 or " +
                                        std::to_string(points_));
        return {array.data(), array.shape(0) == 1 ? std::size_t{0} : std::size_t{1}};
    }

    std::vector<foretell::sunway::Request> requests(const std::vector<RequestArrays>& given) const {
        std::vector<foretell::sunway::Request> result;
        for (const auto& [count, chunks] : given) {
            foretell::sunway::Request request{(*this)(count), {}};
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

SunwayCall sunway_call(std::size_t points, const std::vector<Array>& machine, const std::vector<Array>& work,
                       const std::vector<RequestArrays>& dma, const std::vector<RequestArrays>& gload) {
    if (machine.size() != 11 || work.size() != 8) throw std::invalid_argument("expected 11 machine and 8 work columns");
    const Columns column(points);
    const auto m = [&](std::size_t k) { return column(machine[k]); };
    const auto w = [&](std::size_t k) { return column(work[k]); };
    return {
        {m(0), m(1), m(2), m(3), m(4), m(5), m(6), m(7), m(8), m(9), m(10)},
        {w(0), w(1), w(2), w(3), w(4), w(5), w(6), w(7), column.requests(dma), column.requests(gload)},
    };
}

using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Indices out of range would be read as memory that is not there.
void check(const foretell::emulate::Program& program, const foretell::emulate::Machine& machine) {
    const auto inside = [](std::int32_t i, std::size_t n) { return i >= 0 && static_cast<std::size_t>(i) < n; };
    const std::size_t resources = machine.resources;
    const std::size_t regions = resources == 0 ? 0 : machine.latency.size() / resources;
    bool good = machine.latency.size() == regions * resources && machine.gap.size() == machine.latency.size();
    for (const auto& i : program.text) {
        good = good && inside(i.region, regions) && (i.cached < 0 || inside(i.cached, resources)) &&
               (i.resource == foretell::emulate::barrier || inside(i.resource, resources));
        for (const std::int32_t p : i.after) good = good && inside(p, program.text.size());
    }
    for (const std::int32_t i : program.order) good = good && inside(i, program.text.size());
    if (!good || machine.schedulers == 0 || machine.issue_width == 0)
        throw std::invalid_argument("the abstract program does not fit its resources");
}

void bind_emulate(nb::module_& m) {
    namespace em = foretell::emulate;
    nb::class_<em::Instruction>(m, "EmulateInstruction")
        .def(
            "__init__",
            [](em::Instruction* self, std::int32_t resource, std::int32_t region, std::int32_t cached,
               double transactions, double miss_rate, std::vector<std::int32_t> after) {
                new (self) em::Instruction{resource, region, cached, transactions, miss_rate, std::move(after)};
            },
            nb::arg("resource"), nb::arg("region"), nb::arg("cached"), nb::arg("transactions"), nb::arg("miss_rate"),
            nb::arg("after"));
    nb::class_<em::Program>(m, "EmulateProgram")
        .def(
            "__init__",
            [](em::Program* self, std::vector<em::Instruction> text, const Indices& order) {
                new (self) em::Program{std::move(text), {order.data(), order.data() + order.shape(0)}};
            },
            nb::arg("text"), nb::arg("order"));
    nb::class_<em::Machine>(m, "EmulateMachine")
        .def(
            "__init__",
            [](em::Machine* self, std::size_t resources, std::vector<double> latency, std::vector<double> gap,
               std::size_t schedulers, std::size_t issue_width) {
                new (self) em::Machine{resources, std::move(latency), std::move(gap), schedulers, issue_width};
            },
            nb::arg("resources"), nb::arg("latency"), nb::arg("gap"), nb::arg("schedulers"), nb::arg("issue_width"));
    nb::class_<em::Rules>(m, "EmulateRules")
        .def(nb::init<>())
        .def_rw("clock_never_falls", &em::Rules::clock_never_falls)
        .def_rw("all_instructions", &em::Rules::all_instructions)
        .def_rw("misses_to_memory", &em::Rules::misses_to_memory)
        .def_rw("oldest", &em::Rules::oldest);
    nb::class_<em::Event>(m, "EmulateEvent")
        .def_ro("warp", &em::Event::warp)
        .def_ro("instruction", &em::Event::instruction)
        .def_ro("resource", &em::Event::resource)
        .def_ro("issue", &em::Event::issue)
        .def_ro("start", &em::Event::start)
        .def_ro("finish", &em::Event::finish)
        .def_ro("admit", &em::Event::admit);
    nb::class_<em::Result>(m, "EmulateResult")
        .def_ro("cycles", &em::Result::cycles)
        .def_ro("instructions", &em::Result::instructions)
        .def_ro("requests", &em::Result::requests)
        .def_ro("busy", &em::Result::busy)
        .def_ro("printed_busy", &em::Result::printed_busy)
        .def_ro("printed_busy_unbounded", &em::Result::printed_busy_unbounded)
        .def_ro("trace", &em::Result::trace);
    m.def(
        "emulate_run",
        [](const em::Program& program, const em::Machine& machine, const em::Rules& rules, std::size_t warps,
           std::size_t warps_per_block, bool trace) {
            check(program, machine);
            if (warps == 0 || warps_per_block == 0) throw std::invalid_argument("no warps");
            nb::gil_scoped_release release;
            return em::run(program, machine, rules, warps, warps_per_block, trace);
        },
        nb::arg("program"), nb::arg("machine"), nb::arg("rules"), nb::arg("warps"), nb::arg("warps_per_block"),
        nb::arg("trace"), "Algorithm 1 for the warps of one multiprocessor.");
    m.def(
        "emulate_critical_path",
        [](const em::Program& program, const em::Machine& machine) {
            check(program, machine);
            std::vector<double> share;
            const double cycles = em::critical_path(program, machine, share);
            return std::make_pair(cycles, share);
        },
        nb::arg("program"), nb::arg("machine"), "The longest dependence chain of one warp, and each resource's part.");
}

}  // namespace

NB_MODULE(_core, m) {
    namespace sw = foretell::sunway;
    bind_emulate(m);
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";

    nb::enum_<sw::Rounding>(m, "Rounding")
        .value("none", sw::Rounding::none)
        .value("floor", sw::Rounding::floor)
        .value("round", sw::Rounding::round)
        .value("ceil", sw::Rounding::ceil);

    nb::class_<sw::Rules>(m, "SunwayRules")
        .def(nb::init<>())
        .def_rw("mrp", &sw::Rules::mrp)
        .def_rw("groups", &sw::Rules::groups)
        .def_rw("latency_floor_average", &sw::Rules::latency_floor_average)
        .def_rw("transactions_per_chunk", &sw::Rules::transactions_per_chunk)
        .def_rw("divide_unpipelined", &sw::Rules::divide_unpipelined)
        .def_rw("double_buffer_consistent", &sw::Rules::double_buffer_consistent)
        .def_rw("core_groups_apart", &sw::Rules::core_groups_apart);

    m.def(
        "sunway_terms",
        [](const std::vector<Array>& machine, const std::vector<Array>& work, const std::vector<RequestArrays>& dma,
           const std::vector<RequestArrays>& gload, const sw::Rules& rules) {
            const SunwayCall call = sunway_call(1, machine, work, dma, gload);
            sw::Terms terms;
            sw::evaluate(call.machine, call.work, rules, 0, 1, terms);
            nb::typed<nb::dict, nb::str, double> result;
#define X(name) result[#name] = terms.name[0];
            FORETELL_SUNWAY_TERMS(X)
#undef X
            return result;
        },
        nb::arg("machine"), nb::arg("work"), nb::arg("dma"), nb::arg("gload"), nb::arg("rules"),
        "All terms of the SW26010 model at one design point, times in cycles but time_s.");

    m.def(
        "sunway_times",
        [](std::size_t points, const std::vector<Array>& machine, const std::vector<Array>& work,
           const std::vector<RequestArrays>& dma, const std::vector<RequestArrays>& gload, const sw::Rules& rules) {
            const SunwayCall call = sunway_call(points, machine, work, dma, gload);
            auto* times = new std::vector<double>(points);
            {
                nb::gil_scoped_release release;
                sw::sweep(call.machine, call.work, rules, points, times->data());
            }
            return owned(times);
        },
        nb::arg("points"), nb::arg("machine"), nb::arg("work"), nb::arg("dma"), nb::arg("gload"), nb::arg("rules"),
        "Seconds of every design point.");
}
