// Requests for constants by an index of each lane: different words and lines.
#include <cmath>
#include <set>

#include "gpu/functional/memory.hpp"

namespace foretell::functional {

namespace {

// Different ones among `count` random picks of `among`, on average; all of them if nothing is known of these.
std::uint64_t different(int count, std::uint64_t among) {
    if (among == 0) return static_cast<std::uint64_t>(count);
    const double all = static_cast<double>(among);
    return static_cast<std::uint64_t>(std::lround(all * (1 - std::pow(1 - 1 / all, count))));
}

}  // namespace

ConstantRequest constant_request(const Wide& address, Mask known, int others, std::uint64_t bank_bytes, int bytes) {
    std::set<std::uint64_t> addresses, lines;
    each(known, [&](int lane) {
        addresses.insert(address.v[lane]);
        lines.insert(address.v[lane] / constant_line);
    });
    const std::uint64_t elements = bank_bytes / static_cast<std::uint64_t>(bytes), more = different(others, elements);
    return {addresses.size() + more,
            lines.size() + different(others, (bank_bytes + constant_line - 1) / constant_line)};
}

}  // namespace foretell::functional
