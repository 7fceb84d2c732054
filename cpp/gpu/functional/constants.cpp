// Requests for constants by an index of each lane: different words and lines.
#include <cmath>
#include <set>

#include "gpu/functional/runner.hpp"

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

// Bytes that a warp goes on in the constants that it walks through, a line at most, and whether it leaps: to where other
// warps may not be.
std::pair<std::uint64_t, std::uint64_t> Runner::walk(Warp& warp, std::uint64_t from, std::uint64_t bytes, bool apart) {
    // four lines stay (gpu/timing/state.hpp); whether others have been a KiB further on is as little known
    constexpr std::uint64_t behind = 4 * constant_line;
    const std::uint64_t ahead = apart ? behind : 1024;
    const std::uint64_t end = warp.constants_read, to = from + bytes;
    const bool first = end == ~0ull, leaps = !first && (from + behind < end || from > end + ahead);
    if (!first && !leaps && to <= end) return {0, 0};
    warp.constants_read = to;
    return {first || leaps ? constant_line : std::min(constant_line, to - end), leaps};
}

}  // namespace foretell::functional
