#include "bind.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "cachesim/cachesim.hpp"
#include "cachesim/lru_lifetime.hpp"

namespace {

namespace cs = foretell::cachesim;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Addresses = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CountValues = nb::typed<nb::dict, nb::str, std::uint64_t>;  // by the names of the fields

// How many loops around a bound it knows.
std::size_t variables(const cs::Bound& bound) {
    std::size_t most = bound.coefficients.size();
    for (const cs::Bound& other : bound.others) most = std::max(most, variables(other));
    return most;
}

std::uint64_t run_nest(cs::Simulator& simulator, const std::vector<cs::Loop>& loops,
                       const std::vector<cs::Reference>& references, std::size_t first, std::uint64_t limit) {
    if (loops.empty() || first + references.size() > simulator.references())
        throw std::invalid_argument("expected a loop, and no more references than the simulator counts");
    for (std::size_t depth = 0; depth < loops.size(); ++depth) {
        const auto& [begin, end, step] = loops[depth];
        if (variables(begin) > depth || variables(end) > depth || step == 0)
            throw std::invalid_argument("a bound may depend on the loops around it only, and no step is 0");
    }
    for (const cs::Reference& reference : references)
        if (reference.strides.size() != loops.size() || reference.bytes == 0)
            throw std::invalid_argument("a reference has one stride for each loop, and at least one byte");
    nb::gil_scoped_release release;
    return simulator.run(loops, references, first, limit);
}

void run_addresses(cs::Simulator& simulator, const Addresses& addresses, const std::optional<Bytes>& kinds,
                   const std::optional<Indices>& references, std::uint32_t bytes) {
    const std::size_t count = addresses.shape(0);
    if ((kinds && kinds->shape(0) != count) || (references && references->shape(0) != count) || bytes == 0)
        throw std::invalid_argument("addresses, kinds and references have one length, and an access has a byte");
    const auto above = [count](const auto& values, std::uint64_t most) {
        return values && std::any_of(values->data(), values->data() + count, [=](auto value) { return value > most; });
    };
    if (above(kinds, 1) || above(references, simulator.references() - 1))
        throw std::invalid_argument("a kind is 0 or 1, and a reference less than the number of references");
    nb::gil_scoped_release release;
    simulator.run(cs::List{addresses.data(), count, kinds ? kinds->data() : nullptr,
                           references ? references->data() : nullptr, bytes});
}

CountValues counts(cs::Simulator& simulator, std::size_t reference, std::size_t level) {
    if (reference >= simulator.references() || level >= simulator.levels())
        throw std::out_of_range("no such reference or level");
    const cs::Counts counts = simulator.counts(reference, level);
    CountValues named;
    named["hits"] = counts.hits, named["misses"] = counts.misses;
    named["evictions"] = counts.evictions, named["writebacks"] = counts.writebacks;
    return named;
}

CountValues memory(cs::Simulator& simulator, std::size_t reference) {
    if (reference >= simulator.references()) throw std::out_of_range("no such reference");
    CountValues named;
    named["memory_reads"] = simulator.memory(reference).reads;
    named["memory_writes"] = simulator.memory(reference).writes;
    return named;
}

std::uint64_t dirty_lines(cs::Simulator& simulator, std::size_t level) {
    if (level >= simulator.levels()) throw std::out_of_range("no such level");
    return simulator.dirty_lines(level);
}

auto line_lifetimes(const Array& streamed, const Array& capacity, const std::vector<std::pair<Array, Array>>& arrays,
                    std::int64_t parts, std::size_t points) {
    if (parts < 1) throw std::invalid_argument("no parts");
    std::vector<foretell::lru_lifetime::Gathered> gathered;
    for (const auto& [bytes, swept] : arrays) gathered.push_back({column(bytes, points), column(swept, points)});
    const auto past = column(streamed, points), size = column(capacity, points);
    return owned(released([&] { return foretell::lru_lifetime::lifetimes(past, size, gathered, parts, points); }));
}

}  // namespace

void bind_cachesim(nb::module_& m) {
    FORETELL_ENUM(cs::Kind, "CacheAccess", load, store);
    nb::class_<cs::Geometry>(m, "CacheGeometry")
        .def(nb::init<std::uint64_t, std::uint32_t, std::uint64_t>(), nb::kw_only(), nb::arg("sets"), nb::arg("ways"),
             nb::arg("line"));
    nb::class_<cs::Bound>(m, "CacheBound")
        .def(nb::init<std::int64_t, std::vector<std::int64_t>, std::vector<cs::Bound>>(), nb::kw_only(),
             nb::arg("constant"), nb::arg("coefficients"), nb::arg("others"));
    nb::class_<cs::Loop>(m, "CacheLoop")
        .def(nb::init<cs::Bound, cs::Bound, std::int64_t>(), nb::kw_only(), nb::arg("first"), nb::arg("end"),
             nb::arg("step"));
    nb::class_<cs::Reference>(m, "CacheReference")
        .def(nb::init<std::int64_t, std::vector<std::int64_t>, std::uint32_t, cs::Kind>(), nb::kw_only(),
             nb::arg("base"), nb::arg("strides"), nb::arg("bytes"), nb::arg("kind"));
    nb::class_<cs::Simulator>(m, "CacheSimulator")
        .def(nb::init<const std::vector<cs::Geometry>&, std::size_t, bool>(), nb::arg("levels"), nb::arg("references"),
             nb::arg("vectors"))
        .def("run_nest", &run_nest, nb::arg("loops"), nb::arg("references"), nb::arg("first"), nb::arg("limit"),
             "The accesses of a loop nest; returns how many they were.")
        .def("run_addresses", &run_addresses, nb::arg("addresses"), nb::arg("kinds").none(),
             nb::arg("references").none(), nb::arg("bytes"),
             "One access after the other; without kinds they are loads, without references all of the first.")
        .def("counts", &counts, nb::arg("reference"), nb::arg("level"), "Hits, misses, evictions and write-backs.")
        .def("memory", &memory, nb::arg("reference"), "Lines read from and written to memory.")
        .def("dirty_lines", &dirty_lines, nb::arg("level"), "Modified lines that a level still holds.");
    m.def("line_lifetimes", &line_lifetimes, nb::arg("streamed"), nb::arg("capacity"), nb::arg("arrays"),
          nb::arg("parts"), nb::arg("points"),
          "Fraction of the nest, a multiple of 1 / parts, after which an unreferenced line is evicted.");
}
