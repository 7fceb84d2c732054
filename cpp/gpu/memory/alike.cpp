// Whether blocks beside each other make the same requests, whole sectors further on.
#include "gpu/memory/patterns.hpp"

namespace foretell::gpumemory {
namespace {

constexpr std::uint64_t sector = 32;

unsigned sectors_of(const BlockTrace& block, const Access& access) {
    unsigned sum = access.repeated;
    for (std::size_t n = access.first; n < access.first + access.count; ++n) sum += sectors_in(block.lines[n]);
    return sum;
}

bool alike(const BlockTrace& here, const BlockTrace& there) {
    if (here.instructions != there.instructions || here.warps.size() != there.warps.size()) return false;
    for (std::size_t w = 0; w < here.warps.size(); ++w) {
        const auto &mine = here.warps[w].accesses, &theirs = there.warps[w].accesses;
        const auto same = [&](const Access& a, const Access& b) {
            return a.instruction == b.instruction && a.unknown == 0 && b.unknown == 0 && a.lane == b.lane &&
                   (b.address - a.address) % sector == 0 && sectors_of(here, a) == sectors_of(there, b);
        };
        if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same)) return false;
    }
    return true;
}

}  // namespace

bool alike_beside(const functional::Result& executed, std::size_t middle,
                  const std::array<std::int64_t, 3>& neighbours) {
    return std::ranges::all_of(neighbours, [&](std::int64_t place) {
        return place < 0 || alike(executed.blocks.at(middle), executed.blocks.at(static_cast<std::size_t>(place)));
    });
}

}  // namespace foretell::gpumemory
