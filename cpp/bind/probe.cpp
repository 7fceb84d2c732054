#include "bind.hpp"

#include "probe/probe.hpp"

namespace {

namespace pr = foretell::probe;

const pr::Variant& probe_variant(const std::string& name) {
    for (const pr::Variant* variant : pr::variants())
        if (name == variant->name) return *variant;
    throw std::invalid_argument("this processor cannot run " + name);
}

template <typename Kernel>
std::vector<std::string> names(const Kernel* kernels, std::size_t count) {
    std::vector<std::string> result;
    for (std::size_t k = 0; k < count; ++k) result.push_back(kernels[k].name);
    return result;
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

}  // namespace

void bind_probe(nb::module_& m) {
    nb::class_<pr::Run> run(m, "ProbeRun");
#define X(type, name) run.def_ro(#name, &pr::Run::name);
    FORETELL_PROBE_RUN(X)
#undef X
    run.def("as_dict", [](const pr::Run& self) {
        nb::typed<nb::dict, nb::str, nb::object> named;
        pr::Run::fields(self, [&](const char* name, const auto& value) { named[name] = value; });
        return named;
    });
    nb::class_<pr::Variant>(m, "ProbeVariant", "Kernels of one vector width.")
        .def_ro("name", &pr::Variant::name)
        .def_ro("bytes", &pr::Variant::bytes)
        .def_prop_ro("operations", [](const pr::Variant& v) { return names(v.operations, v.operation_count); })
        .def_prop_ro("streams", [](const pr::Variant& v) { return names(v.streams, v.stream_count); });
    m.def("probe_variants", &pr::variants, nb::rv_policy::reference, "Variants that this processor runs.");
    m.def("probe_vector_bytes", &pr::vector_bytes, "Bytes of the widest vector register.");
    m.def("probe_rotate_buffers", &pr::rotate_buffers, nb::arg("count"),
          "Large arrays rotate over this many allocations until they are released.");
    m.def("probe_release", &pr::release, "Frees the memory kept for further streams and pointer chases.");
    m.def("probe_cpus", &pr::allowed_cpus, "The CPUs this process may run on.");
    m.def("probe_start_at", &pr::start_at, nb::arg("cpu"), nb::arg("used"),
          "How many CPUs are used, and the one that the first thread is pinned to from now on.");
    m.def("probe_pinning_order", &pr::pinning_order, "The CPUs that threads are pinned to, one after the other.");
    m.def("probe_interference", &pr::interference, nb::arg("threads"), nb::call_guard<nb::gil_scoped_release>(),
          "The interference, at this moment, of the one of so many threads that has the most.");
    m.def(
        "probe_time_operation",
        [](const std::string& variant, const std::string& name, std::size_t chunks) {
            const pr::Operation& operation = probe_operation(variant, name);
            return released([&] { return pr::time_operation(operation, chunks); });
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("chunks"),
        "Operations of a chunk, its chunks, and the seconds of a cycle after each.");
    m.def(
        "probe_run_operation",
        [](const std::string& variant, const std::string& name, int threads, double seconds) {
            const pr::Operation& operation = probe_operation(variant, name);
            return released([&] { return pr::run_operation(operation, threads, seconds); });
        },
        nb::arg("variant"), nb::arg("name"), nb::arg("threads"), nb::arg("seconds"),
        "For each thread: operations of a chunk, and start and duration of every chunk in turn.");
    m.def(
        "probe_run_stream",
        [](const std::string& variant, const std::string& name, std::size_t bytes, int threads, double seconds,
           bool paired, bool through, bool from_kept) {
            const pr::Stream& stream = probe_stream(variant, name);
            return released(
                [&] { return pr::run_stream(stream, bytes, threads, seconds, paired, through, from_kept); });
        },
        nb::arg("variant"), nb::arg("name"), nb::kw_only(), nb::arg("bytes"), nb::arg("threads"), nb::arg("seconds"),
        nb::arg("paired"), nb::arg("through"), nb::arg("from_kept"),
        "For each thread: bytes of one array that a chunk goes through, and its chunks.");
    m.def(
        "probe_run_alternating",
        [](const std::string& variant, const std::vector<std::string>& names, std::size_t bytes, double seconds) {
            std::vector<const pr::Stream*> streams;
            for (const std::string& name : names) streams.push_back(&probe_stream(variant, name));
            if (streams.empty()) throw std::invalid_argument("no streams");
            return released([&] { return pr::run_alternating(streams, bytes, seconds); });
        },
        nb::arg("variant"), nb::arg("names"), nb::arg("bytes"), nb::arg("seconds"),
        "For each stream: bytes of one array that a chunk goes through, its chunks and the clock after each.");
    m.def(
        "probe_chase",
        [](std::size_t bytes, std::size_t line, std::size_t window, double seconds, bool paired, bool together,
           bool keep, int number) {
            if (line < sizeof(void*) || bytes / line > 0xffffffffu) throw std::invalid_argument("no such walk");
            return released([&] { return pr::chase({bytes, line, window, together, number}, seconds, paired, keep); });
        },
        nb::kw_only(), nb::arg("bytes"), nb::arg("line"), nb::arg("window"), nb::arg("seconds"), nb::arg("paired"),
        nb::arg("together") = false, nb::arg("keep") = false, nb::arg("number") = 0,
        "Loads of a chunk, its chunks, and the seconds of a cycle after each.");
    m.def("probe_barrier", &pr::run_barrier, nb::arg("threads"), nb::arg("seconds"),
          nb::call_guard<nb::gil_scoped_release>(), "For each thread: barriers of a chunk, and its chunks.");
    m.def("probe_regions", &pr::run_regions, nb::arg("threads"), nb::arg("seconds"), nb::arg("llvm"),
          nb::call_guard<nb::gil_scoped_release>(),
          "OpenMP regions of a chunk, and the chunks. The runtime's threads spin until the process ends.");
}
