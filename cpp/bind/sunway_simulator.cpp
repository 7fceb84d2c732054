#include "bind.hpp"

#include "sunway/simulator.hpp"

void bind_swsim(nb::module_& m) {
    namespace sim = foretell::swsim;
    using sim::Transfer;
#define X(type, name) .def_rw(#name, &Struct::name)
    {
        using Struct = sim::Memory;
        nb::class_<Struct>(m, "SwsimMemory", "Controllers; times in cycles of a core.")
            .def(nb::init<>()) FORETELL_SWSIM_MEMORY(X);
    }
    {
        using Struct = sim::Transfer;
        nb::class_<Struct>(m, "SwsimTransfer", "Transfers of one shape, spread evenly over the rounds of a program.")
            .def(nb::init<>()) FORETELL_SWSIM_TRANSFER(X);
    }
    {
        using Struct = sim::Program;
        nb::class_<Struct>(m, "SwsimProgram",
                           "Rounds of transfers in, computation broken by direct loads, transfers out.")
            .def(nb::init<>()) FORETELL_SWSIM_PROGRAM(X);
    }
#undef X
#define X(type, name) .def_ro(#name, &Struct::name)
    {
        using Struct = sim::Result;
        nb::class_<Struct>(m, "SwsimResult", "Times in cycles.") FORETELL_SWSIM_RESULT(X);
    }
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
