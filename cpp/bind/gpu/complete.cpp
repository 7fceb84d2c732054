#include "gpu/complete/complete.hpp"

#include "bind/bind.hpp"

void bind_complete(nb::module_& m) {
    namespace cp = foretell::complete;
    FORETELL_ENUM(cp::FaultKind, "CompleteFaultKind", none, out_of_bounds, misaligned, read_only, illegal, unsupported,
                  deadlock, budget, memory, trap, assertion);
    FORETELL_INPUT(cp::Launch, "CompleteLaunch", grid, block, cluster, shared_bytes, local_bytes, threads, budget,
                   clock_ghz, memory_bytes, memory_file, heap_address, heap_bytes, cooperative, check_races, race_words)
        .def("set_bank",
             [](cp::Launch& self, int bank, nb::bytes data) {
                 const auto* first = reinterpret_cast<const std::uint8_t*>(data.c_str());
                 self.banks[bank] = {first, first + data.size()};
             })
        .def(
            "add_region",
            [](cp::Launch& self, std::uint64_t address, std::uint64_t size, std::uint64_t pointer, bool writable,
               bool over_link, bool managed) {
                if (!self.regions.empty() && self.regions.back().address + self.regions.back().size > address)
                    throw std::invalid_argument("regions are added in the order of their addresses");
                self.regions.push_back(
                    {address, size, reinterpret_cast<std::uint8_t*>(pointer), writable, over_link, managed});
            },
            nb::arg("address"), nb::arg("size"), nb::arg("pointer"), nb::arg("writable"), nb::arg("over_link") = false,
            nb::arg("managed") = false)
        .def(
            "set_managed",
            [](cp::Launch& self, std::uint64_t address, std::uint64_t count, std::uint64_t states) {
                self.managed = {address, count, reinterpret_cast<std::uint8_t*>(states)};
            },
            nb::arg("address"), nb::arg("count"), nb::arg("states"));
    FORETELL_RESULT(cp::Fault, "CompleteFault", kind, instruction, block, thread, address, size, is_store, space,
                    detail, waits);
    FORETELL_RESULT(cp::RaceSide, "CompleteRaceSide", block, thread, instruction, writes);
    FORETELL_RESULT(cp::Race, "CompleteRace", first, second, address, shared, count);
    FORETELL_RESULT(cp::LinkTraffic, "CompleteLinkTraffic", lines, sectors, written, runs, updates, rounds,
                    longest_rounds);
    FORETELL_RESULT(cp::Printing, "CompletePrinting", calls, lines, longest);
    FORETELL_RESULT(cp::HeapCalls, "CompleteHeapCalls", taken, given, longest);
    FORETELL_RESULT(cp::Record, "CompleteRecord", instructions, fault, printed, threads, waited, longest_wait, link,
                    faults_in_turn, printing, heap, races, races_limited)
        .def("executions", [](const cp::Record& self) { return owned(std::vector<std::uint64_t>(self.executions)); });
    nb::class_<cp::Kernel>(m, "CompleteKernel")
        .def(
            "__init__",
            [](cp::Kernel* self, const foretell::functional::Program& program) {
                new (self) cp::Kernel(program.instructions());
            },
            nb::arg("program"))
        .def_prop_ro("refused", [](const cp::Kernel& self) { return self.refused(); })
        .def_prop_ro("order_free", &cp::Kernel::is_order_free)
        .def(
            "execute",
            [](const cp::Kernel& self, const cp::Launch& launch) {
                return released([&] { return self.execute(launch); });
            },
            nb::arg("launch"), "Executes every warp of every block; memory is written in place.");
}
