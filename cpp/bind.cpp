// The only file that knows nanobind. It checks shapes; the wrappers in Python check values.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
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

#include "cachesim.hpp"
#include "clang_tree.hpp"
#include "counters.hpp"
#include "pareto.hpp"
#include "probe.hpp"
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

namespace cs = foretell::cachesim;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Addresses = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BoundValues = std::pair<std::int64_t, std::vector<std::int64_t>>;
using LoopValues = std::tuple<BoundValues, BoundValues, std::int64_t>;
using ReferenceValues = std::tuple<std::int64_t, std::vector<std::int64_t>, std::uint32_t, cs::Kind>;
using CountValues = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

std::uint64_t run_nest(cs::Simulator& simulator, const std::vector<LoopValues>& loops,
                       const std::vector<ReferenceValues>& references, std::size_t first, std::uint64_t limit) {
    if (loops.empty() || first + references.size() > simulator.references())
        throw std::invalid_argument("expected a loop, and no more references than the simulator counts");
    std::vector<cs::Loop> nest;
    for (const auto& [begin, end, step] : loops) {
        if (begin.second.size() > nest.size() || end.second.size() > nest.size() || step == 0)
            throw std::invalid_argument("a bound may depend on the loops around it only, and no step is 0");
        nest.push_back({{begin.first, begin.second}, {end.first, end.second}, step});
    }
    std::vector<cs::Reference> accessed;
    for (const auto& [base, strides, bytes, kind] : references) {
        if (strides.size() != loops.size() || bytes == 0)
            throw std::invalid_argument("a reference has one stride for each loop, and at least one byte");
        accessed.push_back({base, strides, bytes, kind});
    }
    nb::gil_scoped_release release;
    return simulator.run(nest, accessed, first, limit);
}

void run_addresses(cs::Simulator& simulator, const Addresses& addresses, const Bytes& kinds, const Indices& references,
                   std::uint32_t bytes) {
    const std::size_t count = addresses.shape(0);
    if (kinds.shape(0) != count || references.shape(0) != count || bytes == 0)
        throw std::invalid_argument("addresses, kinds and references have one length, and an access has a byte");
    for (std::size_t k = 0; k < count; ++k)
        if (kinds.data()[k] > 2 || references.data()[k] >= simulator.references())
            throw std::invalid_argument("a kind is 0, 1 or 2, and a reference less than the number of references");
    nb::gil_scoped_release release;
    simulator.run(addresses.data(), count, kinds.data(), references.data(), bytes);
}

void bind_cachesim(nb::module_& m) {
    nb::enum_<cs::Policy>(m, "CachePolicy")
        .value("lru", cs::Policy::lru)
        .value("fifo", cs::Policy::fifo)
        .value("plru", cs::Policy::plru)
        .value("random", cs::Policy::random);
    nb::enum_<cs::Inclusion>(m, "CacheInclusion")
        .value("none", cs::Inclusion::none)
        .value("inclusive", cs::Inclusion::inclusive)
        .value("exclusive", cs::Inclusion::exclusive);
    nb::enum_<cs::Kind>(m, "CacheAccess")
        .value("load", cs::Kind::load)
        .value("store", cs::Kind::store)
        .value("stream", cs::Kind::stream);
    nb::class_<cs::Geometry>(m, "CacheGeometry")
        .def(nb::init<std::uint64_t, std::uint32_t, std::uint64_t, cs::Policy, cs::Inclusion, bool>(), nb::arg("sets"),
             nb::arg("ways"), nb::arg("line"), nb::arg("policy"), nb::arg("inclusion"), nb::arg("write_allocate"));
    nb::class_<cs::Simulator>(m, "CacheSimulator")
        .def(nb::init<const std::vector<cs::Geometry>&, std::size_t, std::uint64_t>(), nb::arg("levels"),
             nb::arg("references"), nb::arg("seed"))
        .def("run_nest", &run_nest, nb::arg("loops"), nb::arg("references"), nb::arg("first"), nb::arg("limit"),
             "The accesses of a loop nest; returns how many they were.")
        .def("run_addresses", &run_addresses, nb::arg("addresses"), nb::arg("kinds"), nb::arg("references"),
             nb::arg("bytes"), "One access after the other.")
        .def(
            "counts",
            [](const cs::Simulator& simulator, std::size_t reference, std::size_t level) -> CountValues {
                if (reference >= simulator.references() || level >= simulator.levels())
                    throw std::out_of_range("no such reference or level");
                const cs::Counts& counts = simulator.counts(reference, level);
                return {counts.hits, counts.misses, counts.evictions, counts.writebacks};
            },
            nb::arg("reference"), nb::arg("level"), "Hits, misses, evictions and write-backs.")
        .def(
            "memory",
            [](const cs::Simulator& simulator, std::size_t reference) -> std::pair<std::uint64_t, std::uint64_t> {
                if (reference >= simulator.references()) throw std::out_of_range("no such reference");
                return {simulator.memory(reference).reads, simulator.memory(reference).writes};
            },
            nb::arg("reference"), "Lines read from and written to memory.")
        .def(
            "dirty_lines",
            [](const cs::Simulator& simulator, std::size_t level) {
                if (level >= simulator.levels()) throw std::out_of_range("no such level");
                return simulator.dirty_lines(level);
            },
            nb::arg("level"), "Lines of a level that are still to be written back.");
}

namespace pr = foretell::probe;

using Values = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using RunValues = std::tuple<double, Values, Values>;

// Starts and durations in turn.
RunValues run_values(const pr::Run& run) {
    auto* flat = new std::vector<double>();
    flat->reserve(2 * run.chunks.size());
    for (const auto& [start, seconds] : run.chunks) {
        flat->push_back(start);
        flat->push_back(seconds);
    }
    return {run.amount, owned(flat), owned(new std::vector<double>(run.addition))};
}

std::vector<RunValues> run_values(const std::vector<pr::Run>& runs) {
    std::vector<RunValues> result;
    for (const pr::Run& run : runs) result.push_back(run_values(run));
    return result;
}

const pr::Variant& probe_variant(const std::string& name) {
    for (const pr::Variant* variant : pr::variants())
        if (name == variant->name) return *variant;
    throw std::invalid_argument("this processor cannot run " + name);
}

const pr::Operation& probe_operation(const std::string& variant, const std::string& name) {
    const pr::Variant& found = probe_variant(variant);
    for (std::size_t k = 0; k < found.operation_count; ++k)
        if (name == found.operations[k].name) return found.operations[k];
    throw std::invalid_argument("no operation " + name);
}

const pr::Stream& probe_stream(const std::string& variant, const std::string& name) {
    const pr::Variant& found = probe_variant(variant);
    for (std::size_t k = 0; k < found.stream_count; ++k)
        if (name == found.streams[k].name) return found.streams[k];
    throw std::invalid_argument("no stream " + name);
}

using VariantValues = std::tuple<std::string, unsigned, std::vector<std::string>, std::vector<std::string>>;

std::vector<VariantValues> probe_variants() {
    std::vector<VariantValues> result;
    for (const pr::Variant* variant : pr::variants()) {
        std::vector<std::string> operations, streams;
        for (std::size_t k = 0; k < variant->operation_count; ++k) operations.push_back(variant->operations[k].name);
        for (std::size_t k = 0; k < variant->stream_count; ++k) streams.push_back(variant->streams[k].name);
        result.emplace_back(variant->name, variant->bytes, operations, streams);
    }
    return result;
}

void bind_probe(nb::module_& m) {
    m.def("probe_variants", &probe_variants, "Name, vector bytes, operations and streams of what this processor runs.");
    m.def("probe_vector_bytes", &pr::vector_bytes, "Bytes of the widest vector register.");
    m.def("probe_release", &pr::release, "Gives back the memory that was kept for further streams.");
    m.def("probe_cpus", &pr::allowed_cpus, "The CPUs this process may run on.");
    m.def(
        "probe_time_operation",
        [](const std::string& variant, const std::string& name, std::size_t chunks) {
            const pr::Operation& operation = probe_operation(variant, name);
            pr::Paired times;
            {
                nb::gil_scoped_release release;
                times = pr::time_operation(operation, chunks);
            }
            return std::make_pair(owned(new std::vector<double>(times.operation)),
                                  owned(new std::vector<double>(times.addition)));
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("chunks"),
        "Seconds for one operation and for one dependent addition, by chunks.");
    m.def(
        "probe_run_operation",
        [](const std::string& variant, const std::string& name, int threads, double seconds) {
            const pr::Operation& operation = probe_operation(variant, name);
            std::vector<pr::Run> runs;
            {
                nb::gil_scoped_release release;
                runs = pr::run_operation(operation, threads, seconds);
            }
            return run_values(runs);
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("threads"), nb::arg("seconds"),
        "For each thread: operations of a chunk, and start and duration of every chunk in turn.");
    m.def(
        "probe_run_stream",
        [](const std::string& variant, const std::string& name, std::size_t bytes, int threads, double seconds,
           bool paired) {
            const pr::Stream& stream = probe_stream(variant, name);
            std::vector<pr::Run> runs;
            {
                nb::gil_scoped_release release;
                runs = pr::run_stream(stream, bytes, threads, seconds, paired);
            }
            return run_values(runs);
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("bytes"), nb::arg("threads"), nb::arg("seconds"),
        nb::arg("paired"), "For each thread: bytes of one array that a chunk goes through, and its chunks.");
    m.def(
        "probe_chase",
        [](std::size_t bytes, std::size_t line, std::size_t window, double seconds, bool paired) {
            if (line < sizeof(void*) || bytes / line > 0xffffffffu) throw std::invalid_argument("no such walk");
            pr::Run run;
            {
                nb::gil_scoped_release release;
                run = pr::chase(bytes, line, window, seconds, paired);
            }
            return run_values(run);
        },
        nb::arg("bytes"), nb::arg("line"), nb::arg("window"), nb::arg("seconds"), nb::arg("paired"),
        "Loads of a chunk, its chunks, and the seconds of an addition after each.");
    m.def(
        "probe_barrier",
        [](int threads, double seconds) {
            std::vector<pr::Run> runs;
            {
                nb::gil_scoped_release release;
                runs = pr::run_barrier(threads, seconds);
            }
            return run_values(runs);
        },
        nb::arg("threads"), nb::arg("seconds"), "For each thread: barriers of a chunk, and its chunks.");
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
    m.doc() = "Compiled inner loops of foretell; use the Python modules that wrap them.";
    bind_cachesim(m);
    bind_probe(m);

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
