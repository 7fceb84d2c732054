#include "bind.hpp"

#include <nanobind/stl/variant.h>

#include <limits>
#include <variant>

#include "sunway/equations.hpp"
#include "sunway/simulator.hpp"

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
        for (const GivenRequest& request : given) {
            auto& chunks = result.emplace_back(sw::Request{(*this)(request.count), {}, request.out}).chunks;
            for (const GivenChunk& piece : request.chunks) chunks.push_back(chunk(piece));
        }
        return result;
    }

    std::size_t points_;
};

void bind_simulator(nb::module_& m) {
    namespace sim = foretell::swsim;
#define X(type, name) .def_rw(#name, &Struct::name)
    FORETELL_LISTED_INPUT(sim::Memory, FORETELL_SWSIM_MEMORY(X), "SwsimMemory",
                          "Controllers; times in cycles of a core.")
    FORETELL_LISTED_INPUT(sim::Transfer, FORETELL_SWSIM_TRANSFER(X), "SwsimTransfer",
                          "Transfers of one shape, spread evenly over the rounds of a program.")
    FORETELL_LISTED_INPUT(sim::Program, FORETELL_SWSIM_PROGRAM(X), "SwsimProgram",
                          "Rounds of transfers in, computation broken by direct loads, transfers out.")
#undef X
#define X(type, name) .def_ro(#name, &sim::Result::name)
    nb::class_<sim::Result>(m, "SwsimResult", "Times in cycles.") FORETELL_SWSIM_RESULT(X);
#undef X
    m.def(
        "swsim_run",
        [](const sim::Memory& memory, const std::vector<sim::Program>& programs,
           const std::vector<sim::Sequence>& cores, bool double_buffer, std::uint64_t most_transactions) {
            if (memory.controllers == 0) throw std::invalid_argument("at least one controller");
            for (const sim::Sequence& sequence : cores)
                for (const std::uint32_t program : sequence)
                    if (program >= programs.size())
                        throw std::invalid_argument("a core runs a program that is not there");
            nb::gil_scoped_release release;
            return sim::simulate(memory, programs, cores, double_buffer, most_transactions);
        },
        nb::arg("memory"), nb::arg("programs"), nb::arg("cores"), nb::arg("double_buffer"),
        nb::arg("most_transactions"), "Simulates cores that run programs one after another, each given by its number.");
}

}  // namespace

void bind_sunway(nb::module_& m) {
    FORETELL_ENUM(sw::Rounding, "Rounding", none, floor, round, ceil);
    nb::enum_<sw::Overlap>(m, "Overlap")
        .value("virtual_groups", sw::Overlap::groups)
        .value("queue", sw::Overlap::queue);
#define X(name) .def_rw(#name, &Struct::name)
    FORETELL_LISTED_INPUT(GivenMachine, FORETELL_SUNWAY_MACHINE(X), "SunwayMachine")
    FORETELL_LISTED_INPUT(GivenChunk, FORETELL_SUNWAY_CHUNK(X), "SunwayChunk")
    FORETELL_LISTED_INPUT(GivenWork, FORETELL_SUNWAY_WORK(X) X(dma) X(gload), "SunwayWork")
#undef X
#define X(type, name, value) .def_rw(#name, &Struct::name)
    FORETELL_LISTED_INPUT(sw::Rules, FORETELL_SUNWAY_RULES(X), "SunwayRules")
#undef X
    FORETELL_INPUT(GivenRequest, "SunwayRequest", count, chunks, out);

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
            std::vector<double> times(points);
            released([&] { sw::sweep(on, done, rules, points, times.data()); });
            return owned(std::move(times));
        },
        nb::arg("points"), nb::arg("machine"), nb::arg("work"), nb::arg("rules"), "Seconds of every design point.");
    bind_simulator(m);
}
