#include "bind.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "../gpumemory.hpp"
#include "../timing.hpp"

namespace {

namespace fn = foretell::functional;
namespace tm = foretell::timing;
namespace gm = foretell::gpumemory;

// Executed blocks as kinds of blocks for the timing core: warps that did alike share a trace.
struct Kinds {
    std::size_t instructions = 0;
    std::vector<tm::Foldable> traces;
    std::vector<tm::Block> blocks;

    Kinds(const fn::Result& result, std::size_t least) : instructions(result.counters.size()) {
        std::vector<std::uint32_t> instruction_of;
        for (const fn::Shape& shape : result.shapes) instruction_of.push_back(shape.instruction);
        std::unordered_map<std::string_view, std::uint32_t> known;  // the bytes of traces
        for (const fn::BlockTrace& block : result.blocks) {
            tm::Block& kind = blocks.emplace_back();
            for (const fn::WarpTrace& warp : block.warps) {
                const std::string_view bytes(reinterpret_cast<const char*>(warp.shapes.data()), warp.shapes.size() * sizeof(warp.shapes[0]));
                const auto [place, fresh] = known.try_emplace(bytes, static_cast<std::uint32_t>(traces.size()));
                if (fresh) traces.emplace_back(warp.shapes, instruction_of, least);
                kind.warps.push_back(place->second);
            }
        }
    }
};

// The same with their loops cut short, ready to run.
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

// Columns of the tables of ops, X(name, member): the order is that of the names that the core exports.
#define FORETELL_TIMING_INTS(X)                                                                                            \
    X(instruction, instruction) X(kind, kind) X(unit, unit) X(path_name, path_name) X(wait, wait) X(write, write)          \
    X(read, read) X(even_ports, ports[0]) X(odd_ports, ports[1]) X(groups, groups) X(copies, copies)
#define FORETELL_TIMING_REALS(X)                                                                                           \
    X(stall) X(gap) X(latency) X(read_latency) X(fetch) X(path) X(misses) X(sectors) X(far_misses) X(far_sectors)          \
    X(written) X(serial) X(lines) X(more_latency) X(joins) X(crowds)

#define X(name, ...) #name,
const std::vector<std::string> kind_names = {FORETELL_TIMING_KINDS(X)};
const std::vector<std::string> int_names = {FORETELL_TIMING_INTS(X)};
const std::vector<std::string> real_names = {FORETELL_TIMING_REALS(X)};
#undef X

// A row of each table for every op.
std::vector<tm::Op> ops_of(const Ints& ints, const Reals& reals) {
    if (ints.shape(0) != reals.shape(0) || ints.shape(1) != int_names.size() || reals.shape(1) != real_names.size())
        throw std::invalid_argument("tables of ops that do not fit");
    std::vector<tm::Op> ops(ints.shape(0));
    const std::int32_t* whole = ints.data();
    const double* real = reals.data();
    for (tm::Op& op : ops) {
#define X(name, member) op.member = static_cast<std::remove_reference_t<decltype((op.member))>>(*whole++);
        FORETELL_TIMING_INTS(X)
#undef X
#define X(name) op.name = *real++;
        FORETELL_TIMING_REALS(X)
#undef X
        if (op.kind > tm::Kind::drain) throw std::invalid_argument("an op of no kind");
    }
    return ops;
}

void check(const tm::Program& program, const tm::Machine& machine) {
    if (program.resident == 0 || machine.queue == 0 || machine.resources > 64) throw std::invalid_argument("nothing to run on");
    for (const tm::Op& op : program.ops)
        if (op.instruction >= program.instructions || op.unit >= machine.resources || op.path_name >= machine.resources ||
            op.write >= tm::counters || op.read >= tm::counters || op.wait >= 1 << tm::counters)
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
    nb::class_<tm::Server>(m, "TimingServer")
        .def(nb::init<double, double, std::vector<std::pair<double, double>>, double, double>(), nb::kw_only(),
             nb::arg("gap"), nb::arg("latency"), nb::arg("spread"), nb::arg("crowding"), nb::arg("credit"));
    nb::class_<tm::Machine>(m, "TimingMachine")
        .def(nb::init<>())
        .def_rw("resources", &tm::Machine::resources)
        .def_rw("l2", &tm::Machine::l2)
        .def_rw("memory", &tm::Machine::memory)
        .def_rw("l2_name", &tm::Machine::l2_name)
        .def_rw("memory_name", &tm::Machine::memory_name)
        .def_rw("barrier_name", &tm::Machine::barrier_name)
        .def_rw("issue_name", &tm::Machine::issue_name)
        .def_rw("ports_name", &tm::Machine::ports_name)
        .def_rw("start_name", &tm::Machine::start_name)
        .def_rw("address_gap", &tm::Machine::address_gap)
        .def_rw("queue", &tm::Machine::queue)
        .def_rw("backlog", &tm::Machine::backlog)
        .def_rw("barrier_latency", &tm::Machine::barrier_latency)
        .def_rw("barrier_gap", &tm::Machine::barrier_gap)
        .def_rw("jump", &tm::Machine::jump)
        .def_rw("cold_fetch", &tm::Machine::cold_fetch)
        .def_rw("block_start", &tm::Machine::block_start)
        .def_rw("beside", &tm::Machine::beside)
        .def_rw("block_turn", &tm::Machine::block_turn);
    nb::class_<tm::Result>(m, "TimingResult")
        .def_ro("cycles", &tm::Result::cycles)
        .def_ro("issued", &tm::Result::issued)
        .def_ro("busy", &tm::Result::busy)
        .def_ro("idle", &tm::Result::idle)
        .def_ro("tail", &tm::Result::tail)
        .def_ro("executions", &tm::Result::executions)
        .def("waiting", [](const tm::Result& self) { return owned(new std::vector<double>(self.waiting)); });
    nb::class_<Kinds>(m, "TimingKinds")
        .def("__init__", [](Kinds* self, const fn::Result& result, std::size_t least) {
            if (least < 2) throw std::invalid_argument("too little of a loop is kept");
            nb::gil_scoped_release release;
            new (self) Kinds(result, least);
        }, nb::arg("result"), nb::arg("least"), "Executed blocks; of a loop that is cut short `least` rounds are kept.")
        .def("folded", [](const Kinds& self, double keep) {
            if (!(keep > 0)) throw std::invalid_argument("nothing of a loop is kept");
            return Folded(self, keep);
        }, nb::arg("keep"), "The blocks with loops cut to this share of their rounds.");
    nb::class_<Folded>(m, "TimingFolded")
        .def_ro("length", &Folded::length)
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

    nb::class_<gm::Question>(m, "MemoryQuestion")
        .def(nb::init<>())
        .def_rw("grid", &gm::Question::grid)
        .def_rw("middle", &gm::Question::middle)
        .def_rw("neighbour", &gm::Question::neighbour)
        .def_rw("wave", &gm::Question::wave)
        .def_rw("stride", &gm::Question::stride)
        .def_rw("resident", &gm::Question::resident)
        .def_rw("warm", &gm::Question::warm)
        .def_rw("l1_lines", &gm::Question::l1_lines)
        .def_rw("cached", &gm::Question::cached)
        .def_rw("writes", &gm::Question::writes)
        .def_rw("waits", &gm::Question::waits)
        .def_rw("counters", &gm::Question::counters)
        .def_rw("back", &gm::Question::back)
        .def_rw("arrays", &gm::Question::arrays);
    nb::class_<gm::Requests>(m, "MemoryRequests")
        .def_ro("executions", &gm::Requests::executions)
        .def_ro("sectors", &gm::Requests::sectors)
        .def_ro("block_sectors", &gm::Requests::block_sectors)
        .def_ro("joins", &gm::Requests::joins)
        .def_ro("misses", &gm::Requests::misses)
        .def_ro("missed_sectors", &gm::Requests::missed_sectors)
        .def_ro("group", &gm::Requests::group);
    nb::class_<gm::Group>(m, "MemoryGroup")
        .def_ro("array", &gm::Group::array)
        .def_ro("even", &gm::Group::even)
        .def_ro("ordered", &gm::Group::ordered)
        .def_ro("common", &gm::Group::common)
        .def_ro("block_read", &gm::Group::block_read)
        .def_ro("wave_read", &gm::Group::wave_read)
        .def_ro("wave_write", &gm::Group::wave_write)
        .def_ro("wave", &gm::Group::wave)
        .def_ro("launch_read", &gm::Group::launch_read)
        .def_ro("launch_write", &gm::Group::launch_write)
        .def_ro("launch", &gm::Group::launch)
        .def_ro("reach", &gm::Group::reach);
    nb::class_<gm::Answer>(m, "MemoryAnswer")
        .def_ro("instructions", &gm::Answer::instructions)
        .def_ro("groups", &gm::Answer::groups);
    m.def(
        "memory_analyse",
        [](const fn::Result& executed, const gm::Question& question) {
            const std::size_t text = executed.counters.size();
            if (question.middle >= executed.blocks.size() || question.cached.size() != text || question.writes.size() != text)
                throw std::invalid_argument("a question that does not fit what was executed");
            nb::gil_scoped_release release;
            return gm::analyse(executed, question);
        },
        nb::arg("executed"), nb::arg("question"), "Where the requests of a launch are served.");
}
