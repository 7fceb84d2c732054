// Which of the instructions that read the same data read it first: they wait for memory, and the others for L2.
#include <algorithm>

#include "gpu/memory/patterns.hpp"

namespace foretell::gpumemory {
namespace {

// The first read of a sector by a block: `at` is the part of its warp's requests that were made before.
struct Read {
    std::int64_t sector;
    float at;
    std::uint32_t instruction;
};

std::vector<Read> first_of_block(const BlockTrace& block, const std::vector<bool>& reads) {
    std::vector<Read> found;
    for (const auto& warp : block.warps)
        for (std::size_t k = 0; k < warp.accesses.size(); ++k) {
            const Access& access = warp.accesses[k];
            if (!reads[access.instruction]) continue;
            const float at = static_cast<float>(k) / static_cast<float>(warp.accesses.size());
            for (std::size_t n = access.first; n < access.first + access.count; ++n)
                for (std::int64_t part = 0; part < 4; ++part)
                    if (block.lines[n] >> part & 1)
                        found.push_back(
                            {static_cast<std::int64_t>(block.lines[n] >> 4 << 2) + part, at, access.instruction});
        }
    std::sort(found.begin(), found.end(),
              [](const Read& a, const Read& b) { return a.sector != b.sector ? a.sector < b.sector : a.at < b.at; });
    const auto same = [](const Read& a, const Read& b) { return a.sector == b.sector; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
}

// Marks the reads that a block beside this one, which does the same `sectors` further on, makes before: at the same
// time as this one where both are `together`, else always.
void mark_read_before(const std::vector<Read>& reads, std::int64_t sectors, bool together,
                      std::vector<std::uint8_t>& before) {
    auto other = reads.begin();
    for (std::size_t k = 0; k < reads.size(); ++k) {
        while (other != reads.end() && other->sector + sectors < reads[k].sector) ++other;
        if (other == reads.end()) return;
        if (other->sector + sectors == reads[k].sector && (!together || other->at < reads[k].at)) before[k] = 1;
    }
}

}  // namespace

void count_first_reads(const functional::Result& executed, const Question& q, const Shift& shift,
                       const std::vector<bool>& reads, std::vector<Requests>& requests) {
    constexpr std::int64_t sector = 32;
    const std::vector<Read> first = first_of_block(executed.blocks[q.middle], reads);
    std::vector<std::uint8_t> before(first.size());
    std::uint64_t distance = 1;  // of blocks that are next to each other, in their order
    for (int axis = 0; axis < 3; distance *= q.grid[axis++]) {
        if (q.neighbour[axis] < 0 || shift[axis] == 0) continue;
        const bool together = distance < q.wave;
        mark_read_before(first, -shift[axis] / sector, together, before);
        if (together) mark_read_before(first, shift[axis] / sector, together, before);
    }
    for (std::size_t k = 0; k < first.size(); ++k)
        if (!before[k]) requests[first[k].instruction].first_sectors += 1;
}

}  // namespace foretell::gpumemory
