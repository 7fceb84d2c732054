#include "bind/bind.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "gpu/memory/sectors.hpp"
#include "gpu/timing/timing.hpp"

namespace {

namespace fn = foretell::functional;
namespace tm = foretell::timing;
namespace gm = foretell::gpumemory;

// Executed blocks as kinds of blocks for the timing core: identical warps share a trace.
struct Kinds {
    std::size_t instructions = 0;
    std::vector<tm::Foldable> traces;
    std::vector<tm::Block> blocks;

    Kinds(const fn::Result& result, std::size_t least, bool uneven) : instructions(result.counters.size()) {
        const auto instruction_of = each_of<std::uint32_t>(result.shapes, &fn::Shape::instruction);
        std::unordered_map<const std::uint32_t*, std::uint32_t> shared;  // lists that were looked at
        std::unordered_map<std::string_view, std::uint32_t> known;       // keys: bytes of traces
        for (const fn::BlockTrace& block : result.blocks) {
            tm::Block& kind = blocks.emplace_back();
            for (const fn::WarpTrace& warp : block.warps) {
                const std::vector<std::uint32_t>& list = warp.shapes.list();
                const auto [same, unseen] = shared.try_emplace(list.data());
                if (unseen) {
                    const std::string_view bytes(reinterpret_cast<const char*>(list.data()),
                                                 list.size() * sizeof(list[0]));
                    const auto [trace, fresh] = known.try_emplace(bytes, static_cast<std::uint32_t>(traces.size()));
                    if (fresh) traces.emplace_back(list, instruction_of, least, uneven);
                    same->second = trace->second;
                }
                kind.warps.push_back(same->second);
            }
        }
    }
};

// The same with folded loops, ready to run.
struct Folded {
    tm::Program program;
    double length = 0;  // ops of all kinds, each once

    Folded(const Kinds& kinds, double keep) {
        program.instructions = kinds.instructions;
        program.blocks = kinds.blocks;
        for (const tm::Foldable& trace : kinds.traces) program.traces.push_back(trace.folded(keep));
        for (const tm::Block& block : program.blocks)
            for (const std::uint32_t trace : block.warps) length += static_cast<double>(program.traces[trace].size());
    }
};

using Ints = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Integer fields of an op: table columns and the fields they are stored to.
#define FORETELL_OP_INTS(X)                                                                     \
    X(instruction, op.instruction) X(kind, op.kind) X(unit, op.unit) X(path_name, op.path_name) \
    X(wait, op.wait) X(write, op.write) X(read, op.read) X(even_ports, op.ports[0])             \
    X(odd_ports, op.ports[1]) X(groups, op.groups) X(copies, op.copies) X(leaps, op.leaps) X(lanes, op.lanes) \
    X(object, op.object) X(amount, op.amount) X(place, op.place)

#define X(name, ...) #name,
const std::vector<std::string> kind_names = {FORETELL_TIMING_KINDS(X)};
const std::vector<std::string> int_names = {FORETELL_OP_INTS(X)};
const std::vector<std::string> real_names = {FORETELL_TIMING_COSTS(X)};
#undef X

// Ops from one row of each table.
std::vector<tm::Op> ops_of(const Ints& ints, const Reals& reals) {
    if (ints.shape(0) != reals.shape(0) || ints.shape(1) != int_names.size() || reals.shape(1) != real_names.size())
        throw std::invalid_argument("tables of ops that do not fit");
    std::vector<tm::Op> ops(ints.shape(0));
    for (std::size_t k = 0; k < ops.size(); ++k) {
        const std::int32_t* whole = ints.data() + k * int_names.size();
        const double* real = reals.data() + k * real_names.size();
        tm::Op& op = ops[k];
#define X(name, place) place = static_cast<std::remove_reference_t<decltype(place)>>(*whole++);
        FORETELL_OP_INTS(X)
#undef X
#define X(name, usual) op.name = *real++;
        FORETELL_TIMING_COSTS(X)
#undef X
        if (op.kind > tm::Kind::products) throw std::invalid_argument("an op of no kind");
    }
    return ops;
}

void check(const tm::Program& program, const tm::Machine& machine) {
    if (program.resident == 0 || machine.queue == 0 || machine.partition_run < 1 || machine.resources > 64)
        throw std::invalid_argument("nothing to run on");
    for (const tm::Op& op : program.ops)
        if (op.instruction >= program.instructions || op.unit >= machine.resources ||
            op.path_name >= machine.resources || op.write >= tm::counters || op.read >= tm::counters ||
            op.wait >= 1 << tm::counters)
            throw std::invalid_argument("an op that cannot be");
    for (const tm::Trace& trace : program.traces) {
        for (const std::uint32_t op : trace)
            if (op >= program.ops.size()) throw std::invalid_argument("a trace names an op that there is not");
        if (trace.empty() || program.ops[trace.back()].kind != tm::Kind::exit)
            throw std::invalid_argument("a trace does not end with an exit");
    }
    for (const std::uint32_t kind : program.order)
        if (kind >= program.blocks.size()) throw std::invalid_argument("a block of no kind");
}

}  // namespace

void bind_timing(nb::module_& m) {
    m.def("timing_kinds", [] { return kind_names; }, "Kinds of ops, by number.");
    m.def("timing_ints", [] { return int_names; }, "Columns of the table of whole numbers.");
    m.def("timing_reals", [] { return real_names; }, "Columns of the table of real numbers.");
#define X(name) .def_rw(#name, &Struct::name)
    FORETELL_LISTED_INPUT(tm::Server, FORETELL_TIMING_SERVER(X) X(spread), "TimingServer")
    FORETELL_LISTED_INPUT(tm::Machine,
                          FORETELL_TIMING_MACHINE(X) FORETELL_TIMING_NAMES(X) X(resources) X(queue) X(partition_run)
                              X(l2) X(memory),
                          "TimingMachine")
    FORETELL_LISTED_INPUT(gm::Question,
                          FORETELL_GPU_MEMORY_NUMBERS(X) X(grid) X(middle) X(neighbour) X(wave) X(stride) X(resident)
                              X(warm) X(weights) X(l1_lines) X(l1_ways) X(cached) X(leaves) X(writes) X(waits)
                                  X(counters) X(back) X(empties) X(by_data) X(arrays),
                          "MemoryQuestion")
#undef X
    FORETELL_RESULT(tm::Result, "TimingResult", cycles, issued, busy, idle, tail, executions)
        .def("waiting", [](const tm::Result& self) { return owned(self.waiting); });
    nb::class_<Kinds>(m, "TimingKinds")
        .def(
            "__init__",
            [](Kinds* self, const fn::Result& result, std::size_t least, bool uneven) {
                if (least < 2) throw std::invalid_argument("too little of a loop is kept");
                nb::gil_scoped_release release;
                new (self) Kinds(result, least, uneven);
            },
            nb::arg("result"), nb::arg("least"), nb::arg("uneven"),
            "Executed blocks; of a loop that is cut short `least` rounds are kept. `uneven`: also of loops whose "
            "rounds differ.")
        .def_prop_ro("uneven",
                     [](const Kinds& self) { return std::ranges::any_of(self.traces, &tm::Foldable::uneven); })
        .def(
            "folded",
            [](const Kinds& self, double keep) {
                if (!(keep > 0)) throw std::invalid_argument("nothing of a loop is kept");
                return Folded(self, keep);
            },
            nb::arg("keep"), "The blocks with loops cut to this share of their rounds.");
    FORETELL_RESULT(Folded, "TimingFolded", length)
        .def(
            "run",
            [](Folded& self, const Ints& ints, const Reals& reals, const tm::Machine& machine,
               const std::vector<std::uint32_t>& order, std::size_t resident) {
                self.program.ops = ops_of(ints, reals);
                self.program.order = order;
                self.program.resident = resident;
                check(self.program, machine);
                nb::gil_scoped_release release;
                return tm::run(self.program, machine);
            },
            nb::arg("ints"), nb::arg("reals"), nb::arg("machine"), nb::arg("order"), nb::arg("resident"));
    m.def(
        "timing_last_end",
        [](const std::vector<double>& alone, const std::vector<double>& demand, std::size_t multiprocessors,
           std::size_t resident) {
            const auto positive = [](double value) { return value > 0; };
            if (alone.size() != demand.size() || multiprocessors == 0 || resident == 0 ||
                !std::ranges::all_of(alone, positive) || !std::ranges::all_of(demand, positive))
                throw std::invalid_argument("blocks that cannot be scheduled");
            nb::gil_scoped_release release;
            return tm::last_end(alone, demand, multiprocessors, resident);
        },
        nb::arg("alone"), nb::arg("demand"), nb::arg("multiprocessors"), nb::arg("resident"),
        "Time at which the last of the blocks ends, by list scheduling.");
    FORETELL_RESULT(gm::Requests, "MemoryRequests", executions, sectors, block_sectors, first_sectors, joins, misses,
                    missed_sectors, group);
    FORETELL_RESULT(gm::Group, "MemoryGroup", array, even, ordered, common, block_read, wave_read, wave_write, wave,
                    launch_read, launch_write, launch, reach, reread);
    FORETELL_RESULT(gm::Answer, "MemoryAnswer", instructions, groups);
    m.def(
        "memory_analyse",
        [](const fn::Result& executed, const gm::Question& question) {
            const std::size_t text = executed.counters.size();
            if (question.middle >= executed.blocks.size() || question.l1_ways == 0 || question.cached.size() != text ||
                question.leaves.size() != text || question.writes.size() != text ||
                (!question.empties.empty() && question.empties.size() != text) ||
                (!question.weights.empty() && question.weights.size() != executed.blocks.size()))
                throw std::invalid_argument("a question that does not fit what was executed");
            nb::gil_scoped_release release;
            return gm::analyse(executed, question);
        },
        nb::arg("executed"), nb::arg("question"), "Where the requests of a launch are served.");
    m.def("memory_alike_beside", &gm::alike_beside, nb::arg("executed"), nb::arg("middle"), nb::arg("neighbours"),
          "Whether the blocks beside the middle one make the same requests, shifted by whole sectors.");
}
