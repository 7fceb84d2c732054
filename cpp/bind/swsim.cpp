#include "bind.hpp"

#include "../swsim.hpp"

namespace {

using TransferNumbers = std::tuple<std::uint64_t, std::uint64_t, bool>;
using ProgramNumbers = std::tuple<std::uint64_t, double, std::uint64_t, std::vector<TransferNumbers>>;

std::vector<foretell::swsim::Program> programs_of(const std::vector<ProgramNumbers>& given) {
    std::vector<foretell::swsim::Program> result;
    for (const auto& [rounds, compute, loads, transfers] : given) {
        foretell::swsim::Program program{rounds, compute, loads, {}};
        for (const auto& [transactions, count, out] : transfers)
            program.transfers.push_back({transactions, count, out});
        result.push_back(std::move(program));
    }
    return result;
}

}  // namespace

void bind_swsim(nb::module_& m) {
    namespace sim = foretell::swsim;
    m.def(
        "swsim_run",
        [](double service, double latency, double gap, std::uint32_t controllers,
           const std::vector<ProgramNumbers>& programs, const std::vector<sim::Sequence>& cores, bool double_buffer) {
            if (controllers == 0) throw std::invalid_argument("at least one controller");
            for (const sim::Sequence& sequence : cores)
                for (const std::uint32_t program : sequence)
                    if (program >= programs.size()) throw std::invalid_argument("a core runs a program that is not there");
            const std::vector<sim::Program> converted = programs_of(programs);
            sim::Result result;
            {
                nb::gil_scoped_release release;
                result = sim::simulate({service, latency, gap, controllers}, converted, cores, double_buffer);
            }
            return std::make_tuple(result.cycles, result.transactions, result.busy, result.compute,
                                   result.transfer_wait, result.load_wait, result.finished);
        },
        nb::arg("service"), nb::arg("latency"), nb::arg("gap"), nb::arg("controllers"), nb::arg("programs"),
        nb::arg("cores"), nb::arg("double_buffer"),
        "Cycles, transactions, busy cycles of the controllers; compute, transfer and load cycles of the last core; "
        "when each core finished.");
}
