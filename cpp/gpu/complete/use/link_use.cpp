#include "gpu/complete/use/link_use.hpp"

#include <algorithm>
#include <array>

#include "gpu/complete/memory/access.hpp"
#include "gpu/complete/use/regions.hpp"

namespace foretell::complete {
namespace {

constexpr int sector_bits = 5, line_bits = 7;

bool passes_l1(const functional::Instruction& source) {
    return std::ranges::any_of(source.modifiers, [](const std::string& m) { return m == "STRONG" || m == "MMIO"; });
}

}  // namespace

bool LinkUse::keep(std::uint64_t sector) {
    std::uint64_t& place = lines_[sector % lines_.size()];
    if (place == sector) return false;
    place = sector;
    return true;
}

void LinkUse::note(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes, bool is_update) {
    std::array<std::uint64_t, lanes> found;
    std::size_t count = 0;
    each(m, [&](int l) {
        if (space_of(d, address[l]) == global_space && is_in(*w.launch, address[l], &Region::over_link))
            found[count++] = address[l];
    });
    if (count == 0) return;
    std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
    if (is_update) {
        for (std::size_t k = 0; k < count; ++k) own_.updates = std::max(own_.updates, ++updates_[found[k]]);
        return;
    }
    if (writes) {  // each run of bytes in a line is one packet
        for (std::size_t k = 0; k < count; ++k) {
            const bool goes_on =
                k != 0 && found[k] <= found[k - 1] + d.bytes && found[k] >> line_bits == found[k - 1] >> line_bits;
            own_.runs += !goes_on;
        }
        own_.written += count * d.bytes;
        return;
    }
    const bool strong = passes_l1(w.text->source[d.number]);
    std::uint64_t line = none, sector = none;
    bool waits = false;
    for (std::size_t k = 0; k < count; ++k)
        for (std::uint64_t at = found[k] >> sector_bits; at <= (found[k] + d.bytes - 1) >> sector_bits; ++at) {
            if (at == sector) continue;
            sector = at;
            if (!strong && !keep(at)) continue;
            waits = true;
            ++own_.sectors;
            if (at >> (line_bits - sector_bits) != line) ++own_.lines;
            line = at >> (line_bits - sector_bits);
        }
    if (!waits) return;
    Warp& warp = *w.warp;  // loads that follow each other in the code are waited for together
    if (warp.link_rounds == 0 || d.number <= warp.last_over_link) ++warp.link_rounds;
    warp.last_over_link = d.number;
}

void LinkUse::end_block(const Block& block) {
    std::uint64_t most = 0;
    for (const Warp& warp : block.warps) most = std::max(most, warp.link_rounds);
    own_.rounds += most;
    own_.longest_rounds = std::max(own_.longest_rounds, most);
    if (most != 0) std::ranges::fill(lines_, none);
}

void LinkUse::add_to(LinkTraffic& sum) {
    sum.lines += own_.lines;
    sum.sectors += own_.sectors;
    sum.written += own_.written;
    sum.runs += own_.runs;
    sum.updates += own_.updates;
    sum.rounds += own_.rounds;
    sum.longest_rounds = std::max(sum.longest_rounds, own_.longest_rounds);
}

}  // namespace foretell::complete
