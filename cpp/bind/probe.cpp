#include "bind.hpp"

#include "probe/probe.hpp"

namespace {

namespace pr = foretell::probe;

using Values = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using RunValues = std::tuple<double, Values, Values, double>;

// Starts and durations, alternating.
std::vector<double> flat_chunks(const pr::Run& run) {
    std::vector<double> flat;
    flat.reserve(2 * run.chunks.size());
    for (const auto& [start, seconds] : run.chunks) {
        flat.push_back(start);
        flat.push_back(seconds);
    }
    return flat;
}

// The chunks, the clock, and the interference on the core.
RunValues run_values(const pr::Run& run) {
    return {run.amount, owned(flat_chunks(run)), owned(run.cycle), run.interference};
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

template <typename Kernel>
const Kernel& named(const Kernel* kernels, std::size_t count, const std::string& kind, const std::string& name) {
    for (std::size_t k = 0; k < count; ++k)
        if (name == kernels[k].name) return kernels[k];
    throw std::invalid_argument("no " + kind + " " + name);
}

const pr::Operation& probe_operation(const std::string& variant, const std::string& name) {
    const pr::Variant& of = probe_variant(variant);
    return named(of.operations, of.operation_count, "operation", name);
}

const pr::Stream& probe_stream(const std::string& variant, const std::string& name) {
    const pr::Variant& of = probe_variant(variant);
    return named(of.streams, of.stream_count, "stream", name);
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

}  // namespace

void bind_probe(nb::module_& m) {
    m.def("probe_variants", &probe_variants, "Name, vector bytes, operations and streams of what this processor runs.");
    m.def("probe_vector_bytes", &pr::vector_bytes, "Bytes of the widest vector register.");
    m.def("probe_keep_several", &pr::keep_several, nb::arg("count"),
          "Large arrays lie in any of so many places until they are released.");
    m.def("probe_release", &pr::release, "Gives back the memory that was kept for further streams and walks.");
    m.def("probe_cpus", &pr::allowed_cpus, "The CPUs this process may run on.");
    m.def("probe_start_at", &pr::start_at, nb::arg("cpu"), nb::arg("used"),
          "How many CPUs are used, and the one that the first thread is pinned to from now on.");
    m.def("probe_cpus_in_turn", &pr::cpus_in_turn, "The CPUs that threads are pinned to, one after the other.");
    m.def("probe_interference", &pr::interference, nb::arg("threads"), nb::call_guard<nb::gil_scoped_release>(),
          "The interference, at this moment, of the one of so many threads that has the most.");
    m.def(
        "probe_time_operation",
        [](const std::string& variant, const std::string& name, std::size_t chunks) {
            const pr::Operation& operation = probe_operation(variant, name);
            const pr::Paired times = released([&] { return pr::time_operation(operation, chunks); });
            return std::make_tuple(times.operation, times.cycle, times.interference);
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("chunks"),
        "Seconds for one operation and for one cycle, by chunks; and the interference on the core.");
    m.def(
        "probe_run_operation",
        [](const std::string& variant, const std::string& name, int threads, double seconds) {
            const pr::Operation& operation = probe_operation(variant, name);
            return run_values(released([&] { return pr::run_operation(operation, threads, seconds); }));
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("threads"), nb::arg("seconds"),
        "For each thread: operations of a chunk, and start and duration of every chunk in turn.");
    m.def(
        "probe_run_stream",
        [](const std::string& variant, const std::string& name, std::size_t bytes, int threads, double seconds,
           bool paired, bool through, bool from_kept) {
            const pr::Stream& stream = probe_stream(variant, name);
            return run_values(
                released([&] { return pr::run_stream(stream, bytes, threads, seconds, paired, through, from_kept); }));
        },
        nb::arg("variant"), nb::arg("name"), nb::kw_only(), nb::arg("bytes"), nb::arg("threads"), nb::arg("seconds"),
        nb::arg("paired"), nb::arg("through"), nb::arg("from_kept"),
        "For each thread: bytes of one array that a chunk goes through, and its chunks.");
    m.def(
        "probe_run_in_turn",
        [](const std::string& variant, const std::vector<std::string>& names, std::size_t bytes, double seconds) {
            std::vector<const pr::Stream*> streams;
            for (const std::string& name : names) streams.push_back(&probe_stream(variant, name));
            if (streams.empty()) throw std::invalid_argument("no streams");
            return run_values(released([&] { return pr::run_in_turn(streams, bytes, seconds); }));
        },
        nb::arg("variant"), nb::arg("names"), nb::arg("bytes"), nb::arg("seconds"),
        "For each stream: bytes of one array that a chunk goes through, its chunks and the clock after each.");
    m.def(
        "probe_chase",
        [](std::size_t bytes, std::size_t line, std::size_t window, double seconds, bool paired, bool together,
           bool keep, int number) {
            if (line < sizeof(void*) || bytes / line > 0xffffffffu) throw std::invalid_argument("no such walk");
            return run_values(
                released([&] { return pr::chase({bytes, line, window, together, number}, seconds, paired, keep); }));
        },
        nb::kw_only(), nb::arg("bytes"), nb::arg("line"), nb::arg("window"), nb::arg("seconds"), nb::arg("paired"),
        nb::arg("together") = false, nb::arg("keep") = false, nb::arg("number") = 0,
        "Loads of a chunk, its chunks, and the seconds of a cycle after each.");
    m.def(
        "probe_barrier",
        [](int threads, double seconds) {
            return run_values(released([&] { return pr::run_barrier(threads, seconds); }));
        },
        nb::arg("threads"), nb::arg("seconds"), "For each thread: barriers of a chunk, and its chunks.");
    m.def(
        "probe_regions",
        [](int threads, double seconds, bool llvm) {
            const std::vector<pr::Run> runs = released([&] { return pr::run_regions(threads, seconds, llvm); });
            return std::make_tuple(runs[0].amount, flat_chunks(runs[0]), runs[0].interference);
        },
        nb::arg("threads"), nb::arg("seconds"), nb::arg("llvm"),
        "Empty OpenMP regions of a chunk, and the chunks. The threads of the runtime go on waiting until the process "
        "ends.");
}
