// Loop nests through levels of any geometry: the batched engine, with and without vectors, against one access after the
// other through the general one.
#include "cachesim/cachesim.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "bytes.hpp"
#include "cachesim/hierarchy.hpp"

namespace {

using namespace foretell::cachesim;
using fuzz::Bytes;

constexpr std::uint64_t most = 4000;  // accesses

std::vector<Geometry> levels(Bytes& bytes) {
    std::vector<Geometry> result;
    std::uint64_t line = bytes.truth() ? 64 : static_cast<std::uint64_t>(bytes.between(1, 80));
    for (int left = bytes.between(1, 3); left > 0; --left) {
        result.push_back({static_cast<std::uint64_t>(bytes.between(1, 70)),
                          static_cast<std::uint32_t>(bytes.between(1, bytes.truth() ? 40 : 4)), line});
        line *= static_cast<std::uint64_t>(bytes.between(1, 3));
    }
    return result;
}

Bound bound(Bytes& bytes, std::size_t depth, std::int64_t constant) {
    Bound result{constant, {}, {}};
    for (std::size_t k = 0; k < depth; ++k) result.coefficients.push_back(bytes.between(0, 5) > 3 ? 1 : 0);
    if (bytes.between(0, 9) == 0) result.others.push_back({bytes.between(0, 30), {}, {}});
    return result;
}

struct Nest {
    std::vector<Loop> loops;
    std::vector<Reference> references;

    // Calls `access` in the order of the program.
    template <typename Access>
    void each(Access&& access, std::vector<std::int64_t>& variables) const {
        const std::size_t depth = variables.size();
        if (depth == loops.size()) {
            for (std::size_t k = 0; k < references.size(); ++k) {
                std::int64_t address = references[k].base;
                for (std::size_t l = 0; l < depth; ++l) address += references[k].strides[l] * variables[l];
                access(k, address);
            }
            return;
        }
        const Loop& loop = loops[depth];
        const bool upwards = loop.step > 0;
        const std::int64_t end = value(loop.end, variables, upwards);
        for (std::int64_t v = value(loop.first, variables, !upwards); upwards ? v < end : v > end; v += loop.step) {
            variables.push_back(v);
            each(access, variables);
            variables.pop_back();
        }
    }
};

Nest nest(Bytes& bytes) {
    Nest result;
    const int depth = bytes.between(1, 3);
    for (int k = 0; k < depth; ++k) {
        const bool upwards = bytes.between(0, 3) != 0;
        const int from = bytes.between(0, 6), trips = bytes.between(0, bytes.truth() ? 60 : 8);
        const int step = bytes.between(1, 3);
        const auto at = static_cast<std::size_t>(k);
        result.loops.push_back({bound(bytes, at, upwards ? from : from + trips),
                                bound(bytes, at, upwards ? from + trips : from - 1), upwards ? step : -step});
    }
    for (int left = bytes.between(1, 4); left > 0; --left) {
        Reference one{bytes.raw<std::uint16_t>(), {}, static_cast<std::uint32_t>(bytes.between(1, 16)),
                      bytes.truth() ? Kind::store : Kind::load};
        for (int k = 0; k < depth; ++k) one.strides.push_back(static_cast<std::int8_t>(bytes.next()) * bytes.between(1, 9));
        result.references.push_back(one);
    }
    return result;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void same(Simulator& one, Hierarchy& other, std::size_t references) {
    for (std::size_t level = 0; level < one.levels(); ++level) {
        for (std::size_t k = 0; k < references; ++k) {
            const Counts a = one.counts(k, level), b = other.counts(k, level);
            require(a.hits == b.hits && a.misses == b.misses);
            require(a.evictions == b.evictions && a.writebacks == b.writebacks);
        }
        require(one.dirty_lines(level) == other.dirty_lines(level));
    }
    for (std::size_t k = 0; k < references; ++k)
        require(one.memory(k).reads == other.memory(k).reads && one.memory(k).writes == other.memory(k).writes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::vector<Geometry> geometry = levels(bytes);
    const Nest given = nest(bytes);
    const std::size_t references = given.references.size();
    Simulator quick(geometry, references, true), plain(geometry, references, false);
    try {
        const std::uint64_t count = quick.run(given.loops, given.references, 0, most);
        require(plain.run(given.loops, given.references, 0, most) == count);
    } catch (const std::length_error&) {
        return 0;
    } catch (const std::out_of_range&) {
        return 0;
    }
    Hierarchy expected(geometry, references);
    std::vector<std::int64_t> variables;
    given.each(
        [&](std::size_t reference, std::int64_t address) {
            const auto at = static_cast<std::uint64_t>(address);
            const auto who = static_cast<std::uint32_t>(reference);
            const auto kind = static_cast<std::uint8_t>(given.references[reference].kind);
            expected.run(List{&at, 1, &kind, &who, given.references[reference].bytes});
        },
        variables);
    same(quick, expected, references);
    same(plain, expected, references);
    return 0;
}
