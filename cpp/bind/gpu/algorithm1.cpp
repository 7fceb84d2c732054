#include "bind/bind.hpp"

#include "saake/algorithm1.hpp"

namespace {

using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Rejects indices out of range.
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

}  // namespace

void bind_emulate(nb::module_& m) {
    namespace em = foretell::emulate;
    nb::class_<em::Instruction>(m, "EmulateInstruction")
        .def(
            "__init__",
            [](em::Instruction* self, std::int32_t resource, std::int32_t region, std::int32_t cached,
               double transactions, double miss_rate, std::vector<std::int32_t> after) {
                new (self) em::Instruction{resource, region, cached, transactions, miss_rate, std::move(after)};
            },
            nb::kw_only(), nb::arg("resource"), nb::arg("region"), nb::arg("cached"), nb::arg("transactions"),
            nb::arg("miss_rate"), nb::arg("after"));
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
            nb::kw_only(), nb::arg("resources"), nb::arg("latency"), nb::arg("gap"), nb::arg("schedulers"),
            nb::arg("issue_width"));
    FORETELL_INPUT(em::Rules, "EmulateRules", clock_never_falls, all_instructions, misses_to_memory, oldest);
    FORETELL_RESULT(em::Event, "EmulateEvent", warp, instruction, resource, issue, start, finish, admit);
    FORETELL_RESULT(em::Result, "EmulateResult", cycles, instructions, requests, busy, printed_busy,
                    printed_busy_unbounded, trace);
    m.def(
        "emulate_run",
        [](const em::Program& program, const em::Machine& machine, const em::Rules& rules, std::size_t warps,
           std::size_t warps_per_block, std::size_t blocks, bool trace, std::size_t most_steps) {
            check(program, machine);
            if (warps == 0 || warps_per_block == 0) throw std::invalid_argument("no warps");
            nb::gil_scoped_release release;
            return em::run(program, machine, rules, warps, warps_per_block, blocks, trace, most_steps);
        },
        nb::arg("program"), nb::arg("machine"), nb::arg("rules"), nb::kw_only(), nb::arg("warps"),
        nb::arg("warps_per_block"), nb::arg("blocks"), nb::arg("trace"), nb::arg("most_steps"),
        "Algorithm 1 for the warps of one multiprocessor.");
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
