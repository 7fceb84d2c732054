// The only file that knows nanobind. It checks shapes; the wrappers in Python check values.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "counters.hpp"
#include "clang_tree.hpp"
#include "emulate.hpp"
#include "functional.hpp"
#include "pareto.hpp"
#include "sunway.hpp"

namespace nb = nanobind;

namespace {

using Array = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ChunkArrays = std::tuple<Array, Array, Array>;
using RequestArrays = std::pair<Array, std::vector<ChunkArrays>>;

template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T>* values) {
    nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
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
           std::size_t warps_per_block, std::size_t blocks, bool trace) {
            check(program, machine);
            if (warps == 0 || warps_per_block == 0) throw std::invalid_argument("no warps");
            nb::gil_scoped_release release;
            return em::run(program, machine, rules, warps, warps_per_block, blocks, trace);
        },
        nb::arg("program"), nb::arg("machine"), nb::arg("rules"), nb::arg("warps"), nb::arg("warps_per_block"),
        nb::arg("blocks"), nb::arg("trace"), "Algorithm 1 for the warps of one multiprocessor.");
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

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The functional core indexes registers without looking.
void check(const std::vector<foretell::functional::Instruction>& program) {
    namespace fn = foretell::functional;
    const auto inside = [](const std::vector<int>& indices, int limit) {
        for (const int i : indices)
            if (i < 0 || i >= limit) throw std::invalid_argument("a register that there is not");
    };
    for (const fn::Instruction& i : program) {
        inside(i.written, 256);
        inside(i.written_uniform, 256);
        inside(i.written_predicates, 8);
        inside(i.written_uniform_predicates, 8);
        if (i.guard >= 8 || i.destinations < 0 || static_cast<std::size_t>(i.destinations) > i.operands.size())
            throw std::invalid_argument("an instruction that cannot be");
        for (const fn::Operand& o : i.operands) {
            const int limit = o.kind == fn::Kind::pred || o.kind == fn::Kind::upred ? 8 : 240;
            if (o.index >= limit + (limit == 240 ? 15 : 0) || o.uniform >= 240)
                throw std::invalid_argument("a register that there is not");
            if (o.kind == fn::Kind::special && (o.value < 0 || o.value > fn::other))
                throw std::invalid_argument("a special register that there is not");
        }
    }
}

void bind_functional(nb::module_& m) {
    namespace fn = foretell::functional;
    nb::enum_<fn::Kind>(m, "OperandKind")
        .value("none", fn::Kind::none)
        .value("reg", fn::Kind::reg)
        .value("ureg", fn::Kind::ureg)
        .value("pred", fn::Kind::pred)
        .value("upred", fn::Kind::upred)
        .value("immediate", fn::Kind::immediate)
        .value("real", fn::Kind::real)
        .value("constant", fn::Kind::constant)
        .value("memory", fn::Kind::memory)
        .value("special", fn::Kind::special);
    nb::enum_<fn::Array::Contents>(m, "ArrayContents")
        .value("unknown", fn::Array::Contents::unknown)
        .value("random", fn::Array::Contents::random)
        .value("iota", fn::Array::Contents::iota)
        .value("permutation", fn::Array::Contents::permutation)
        .value("data", fn::Array::Contents::data);
    nb::class_<fn::Operand>(m, "FunctionalOperand")
        .def(nb::init<>())
        .def_rw("kind", &fn::Operand::kind)
        .def_rw("index", &fn::Operand::index)
        .def_rw("uniform", &fn::Operand::uniform)
        .def_rw("value", &fn::Operand::value)
        .def_rw("real", &fn::Operand::real)
        .def_rw("bank", &fn::Operand::bank)
        .def_rw("scale", &fn::Operand::scale)
        .def_rw("negated", &fn::Operand::negated)
        .def_rw("absolute", &fn::Operand::absolute)
        .def_rw("inverted", &fn::Operand::inverted)
        .def_rw("wide", &fn::Operand::wide)
        .def_rw("wide_uniform", &fn::Operand::wide_uniform);
    nb::class_<fn::Instruction>(m, "FunctionalInstruction")
        .def(nb::init<>())
        .def_rw("opcode", &fn::Instruction::opcode)
        .def_rw("modifiers", &fn::Instruction::modifiers)
        .def_rw("guard", &fn::Instruction::guard)
        .def_rw("guard_uniform", &fn::Instruction::guard_uniform)
        .def_rw("guard_negated", &fn::Instruction::guard_negated)
        .def_rw("guard_never", &fn::Instruction::guard_never)
        .def_rw("destinations", &fn::Instruction::destinations)
        .def_rw("operands", &fn::Instruction::operands)
        .def_rw("written", &fn::Instruction::written)
        .def_rw("written_uniform", &fn::Instruction::written_uniform)
        .def_rw("written_predicates", &fn::Instruction::written_predicates)
        .def_rw("written_uniform_predicates", &fn::Instruction::written_uniform_predicates);
    nb::class_<fn::Launch>(m, "FunctionalLaunch")
        .def(nb::init<>())
        .def_rw("grid", &fn::Launch::grid)
        .def_rw("block", &fn::Launch::block)
        .def_rw("shared_bytes", &fn::Launch::shared_bytes)
        .def_rw("budget", &fn::Launch::budget)
        .def_rw("traced", &fn::Launch::traced)
        .def("set_constants", [](fn::Launch& self, int bank, nb::bytes data) {
            const auto* first = reinterpret_cast<const std::uint8_t*>(data.c_str());
            self.constants[bank] = {first, first + data.size()};
        })
        .def("add_array", [](fn::Launch& self, std::uint64_t base, std::uint64_t bytes, int element,
                             fn::Array::Contents contents, std::int64_t low, std::int64_t high) {
            if (element < 1 || contents == fn::Array::Contents::data || (!self.arrays.empty() && self.arrays.back().base >= base))
                throw std::invalid_argument("arrays are added in the order of their addresses");
            self.arrays.push_back({base, bytes, element, contents, low, high, nullptr});
        })
        .def(
            "add_data",
            [](fn::Launch& self, std::uint64_t base, int element, const Bytes& data) {
                if (element < 1 || (!self.arrays.empty() && self.arrays.back().base >= base))
                    throw std::invalid_argument("arrays are added in the order of their addresses");
                self.arrays.push_back({base, data.shape(0), element, fn::Array::Contents::data, 0, 0, data.data()});
            },
            nb::keep_alive<1, 4>());
    nb::class_<fn::Counters>(m, "FunctionalCounters")
        .def_ro("executions", &fn::Counters::executions)
        .def_ro("active_lanes", &fn::Counters::active_lanes)
        .def_ro("requests", &fn::Counters::requests)
        .def_ro("sectors", &fn::Counters::sectors)
        .def_ro("lines", &fn::Counters::lines)
        .def_ro("wavefronts", &fn::Counters::wavefronts)
        .def_ro("serial", &fn::Counters::serial)
        .def_ro("unknown_addresses", &fn::Counters::unknown_addresses)
        .def_ro("taken", &fn::Counters::taken)
        .def_ro("divergent", &fn::Counters::divergent)
        .def_ro("unknown_branches", &fn::Counters::unknown_branches)
        .def_ro("unknown_guards", &fn::Counters::unknown_guards);
    nb::class_<fn::Result>(m, "FunctionalResult")
        .def_ro("counters", &fn::Result::counters)
        .def_ro("block_instructions", &fn::Result::block_instructions)
        .def_ro("block_sectors", &fn::Result::block_sectors)
        .def_ro("traces", &fn::Result::traces)
        .def_ro("budget_exceeded", &fn::Result::budget_exceeded)
        .def_ro("stuck", &fn::Result::stuck)
        .def_ro("not_executed", &fn::Result::not_executed);
    m.def(
        "functional_run",
        [](const std::vector<fn::Instruction>& program, const fn::Launch& launch, const std::vector<std::uint64_t>& blocks) {
            check(program);
            nb::gil_scoped_release release;
            return fn::run(program, launch, blocks);
        },
        nb::arg("program"), nb::arg("launch"), nb::arg("blocks"), "Executes sampled blocks of a kernel lane by lane.");
}

namespace ct = foretell::counters;

ct::Target counters_target(std::size_t points, const std::vector<Array>& columns) {
    if (columns.size() != ct::target_columns)
        throw std::invalid_argument("expected " + std::to_string(ct::target_columns) + " target columns");
    ct::Target target;
    auto* fields = reinterpret_cast<ct::Column*>(&target);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto column = Columns(points)(columns[k]);
        fields[k] = {column.data, column.stride};
    }
    return target;
}

// A struct of doubles from a list of as many numbers.
template <typename Struct>
Struct filled(const std::vector<double>& values) {
    if (values.size() != sizeof(Struct) / sizeof(double)) throw std::invalid_argument("wrong number of values");
    Struct result;
    std::memcpy(&result, values.data(), sizeof result);
    return result;
}

template <typename Struct>
nb::typed<nb::dict, nb::str, double> named(const Struct& given, const char* const* names) {
    double values[sizeof(Struct) / sizeof(double)];
    std::memcpy(values, &given, sizeof values);
    nb::typed<nb::dict, nb::str, double> result;
    for (std::size_t k = 0; k < sizeof(Struct) / sizeof(double); ++k) result[names[k]] = values[k];
    return result;
}

void bind_counters(nb::module_& m) {
    nb::enum_<ct::Middle>(m, "Middle")
        .value("none", ct::Middle::none)
        .value("buffer", ct::Middle::buffer)
        .value("cache", ct::Middle::cache);

    nb::class_<ct::Rules>(m, "CountersRules")
        .def(nb::init<>())
        .def_rw("core_ratio", &ct::Rules::core_ratio)
        .def_rw("count_threads", &ct::Rules::count_threads)
        .def_rw("floors", &ct::Rules::floors)
        .def_rw("cap_ipc", &ct::Rules::cap_ipc)
        .def_rw("local_miss_rates", &ct::Rules::local_miss_rates)
        .def_rw("target_line", &ct::Rules::target_line)
        .def_rw("scale_traffic", &ct::Rules::scale_traffic)
        .def_rw("clamp_overlap", &ct::Rules::clamp_overlap)
        .def_rw("calibrate", &ct::Rules::calibrate)
        .def_rw("middle", &ct::Rules::middle);

    m.def(
        "counters_analysis",
        [](const std::vector<double>& events, const std::vector<double>& base, const ct::Rules& rules) {
            return named(ct::analyse(filled<ct::Events>(events), filled<ct::Base>(base), rules), ct::analysis_names);
        },
        nb::arg("events"), nb::arg("base"), nb::arg("rules"), "The baseline of one code block, times in cycles.");

    m.def(
        "counters_terms",
        [](const std::vector<double>& events, const std::vector<double>& base, const std::vector<Array>& target,
           const ct::Rules& rules) {
            const ct::Target columns = counters_target(1, target);
            return named(ct::evaluate(filled<ct::Events>(events), filled<ct::Base>(base), columns, rules, 0),
                         ct::term_names);
        },
        nb::arg("events"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "All terms of the counter model of one code block, times in cycles of the target.");

    m.def(
        "counters_times",
        [](std::size_t points, const std::vector<std::vector<double>>& events, const std::vector<double>& base,
           const std::vector<Array>& target, const ct::Rules& rules) {
            std::vector<ct::Events> blocks;
            for (const auto& block : events) blocks.push_back(filled<ct::Events>(block));
            const ct::Base machine = filled<ct::Base>(base);
            const ct::Target columns = counters_target(points, target);
            auto* times = new std::vector<double>(points);
            {
                nb::gil_scoped_release release;
                ct::sweep(blocks, machine, columns, rules, points, times->data());
            }
            return owned(times);
        },
        nb::arg("points"), nb::arg("events"), nb::arg("base"), nb::arg("target"), nb::arg("rules"),
        "Seconds of all code blocks at every design point.");
}

// Objectives as pointers, all of one length; `points` becomes that length.
foretell::pareto::Columns objective_columns(const std::vector<Array>& given, std::size_t& points) {
    foretell::pareto::Columns columns;
    points = given.empty() ? 0 : given.front().shape(0);
    for (const Array& array : given) {
        if (array.shape(0) != points) throw std::invalid_argument("objectives of different lengths");
        columns.push_back(array.data());
    }
    return columns;
}

nb::bytes column_bytes(const std::vector<std::int32_t>& column) {
    return nb::bytes(column.data(), column.size() * sizeof(std::int32_t));
}

nb::str lenient_text(const std::string& text) {  // sources may hold bytes that are not UTF-8
    return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// The tree as columns (bytes of int32) and lists of tuples, in the order of the C++ members.
nb::typed<nb::dict, nb::str, nb::object> tree_dict(const foretell::clang_tree::Tree& tree) {
    const auto& n = tree.nodes;
    nb::list declarations, types, literals, diagnostics, skipped, files;
    for (const auto& d : tree.declarations)
        declarations.append(nb::make_tuple(d.kind, lenient_text(d.name), d.type, d.storage, d.global, d.system, d.file,
                                           d.line, d.end_line, d.value));
    for (const auto& t : tree.types) {
        nb::list fields;
        for (const auto& field : t.fields) fields.append(nb::make_tuple(lenient_text(field.name), field.type));
        types.append(nb::make_tuple(t.kind, t.size, t.is_const, t.is_restrict, t.element, t.count, lenient_text(t.name),
                                    nb::tuple(fields)));
    }
    for (const auto& literal : tree.literals) {
        if (const auto* text = std::get_if<std::string>(&literal)) literals.append(lenient_text(*text));
        else if (const auto* real = std::get_if<double>(&literal)) literals.append(*real);
        else if (const auto* whole = std::get_if<std::int64_t>(&literal)) literals.append(*whole);
        else literals.append(std::get<std::uint64_t>(literal));
    }
    for (const auto& d : tree.diagnostics)
        diagnostics.append(nb::make_tuple(d.severity, d.file, d.line, d.offset, lenient_text(d.message)));
    for (const auto& r : tree.skipped) skipped.append(nb::make_tuple(r.file, r.begin, r.end));
    for (const auto& file : tree.files) files.append(lenient_text(file));
    nb::typed<nb::dict, nb::str, nb::object> result;
    const std::pair<const char*, const std::vector<std::int32_t>*> columns[] = {
        {"kind", &n.kind}, {"end", &n.end},       {"op", &n.op},         {"type", &n.type},         {"ref", &n.ref},
        {"file", &n.file}, {"line", &n.line},     {"offset", &n.offset}, {"end_line", &n.end_line},
        {"end_offset", &n.end_offset}, {"loops", &tree.loops}, {"writes", &tree.writes}};
    for (const auto& [name, column] : columns) result[name] = column_bytes(*column);
    result["declarations"] = declarations;
    result["types"] = types;
    result["literals"] = literals;
    result["diagnostics"] = diagnostics;
    result["skipped"] = skipped;
    result["files"] = files;
    result["truncated"] = tree.truncated;
    return result;
}

}  // namespace

NB_MODULE(_core, m) {
    namespace sw = foretell::sunway;
    bind_emulate(m);
    bind_functional(m);
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

    bind_counters(m);
    m.def(
        "pareto_front",
        [](const std::vector<Array>& objectives) {
            std::size_t points;
            const auto columns = objective_columns(objectives, points);
            auto* kept = new std::vector<std::int64_t>;
            {
                nb::gil_scoped_release release;
                *kept = foretell::pareto::front(columns, points);
            }
            return owned(kept);
        },
        nb::arg("objectives"), "Points that no other point dominates, ascending; all objectives are minimised.");

    m.def(
        "pareto_survivors",
        [](const std::vector<Array>& objectives, const std::vector<Array>& rivals) {
            std::size_t points, rival_count;
            const auto columns = objective_columns(objectives, points);
            const auto others = objective_columns(rivals, rival_count);
            auto* kept = new std::vector<std::int64_t>;
            {
                nb::gil_scoped_release release;
                *kept = foretell::pareto::survivors(columns, points, others, rival_count);
            }
            return owned(kept);
        },
        nb::arg("objectives"), nb::arg("rivals"), "Points that none of the few rivals dominates, ascending.");

    m.def(
        "clang_tree",
        [](const std::string& library, const std::string& file, const std::vector<std::string>& arguments,
           std::size_t max_nodes) {
            foretell::clang_tree::Tree tree;
            {
                nb::gil_scoped_release release;
                tree = foretell::clang_tree::parse(library, file, arguments, max_nodes);
            }
            return tree_dict(tree);
        },
        nb::arg("library"), nb::arg("file"), nb::arg("arguments"), nb::arg("max_nodes"),
        "A C file parsed by libclang, as flat columns.");
}
