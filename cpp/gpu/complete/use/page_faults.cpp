#include "gpu/complete/use/page_faults.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "gpu/complete/memory/access.hpp"
#include "gpu/complete/use/regions.hpp"

namespace foretell::complete {
namespace {

// The driver moves pages of 64 KiB, and prefetches inside of large pages of 2 MiB.
constexpr int page_bits = 16;
constexpr std::uint32_t pages_of_large = 32;

// What the driver has on the device after a fault: a subtree of a large page of which more than half is wanted comes whole
// (Ganguly et al., ISCA 2019, section 4.2).
std::uint32_t with_prefetched(std::uint32_t here, std::uint32_t page) {
    here |= 1u << page;
    for (std::uint32_t size = 2; size <= pages_of_large; size *= 2) {
        const std::uint32_t whole = size == pages_of_large ? ~0u : (1u << size) - 1;
        const std::uint32_t subtree = whole << page / size * size;
        if (2 * static_cast<std::uint32_t>(std::popcount(here & subtree)) > size) here |= subtree;
    }
    return here;
}

}  // namespace

// Whether the block meets a page for the first time, and it does not come with another one.
bool PageFaults::is_first(std::uint64_t page) {
    std::uint32_t& here = here_[page / pages_of_large];
    const std::uint32_t number = page % pages_of_large;
    if (here >> number & 1) return false;
    here = with_prefetched(here, number);
    return true;
}

void PageFaults::note(Worker& w, const Dense& d, const std::uint64_t* address, Mask m) {
    const ManagedPages& pages = w.launch->managed;
    bool faults = false;
    each(m, [&](int l) {
        const std::uint64_t page = (address[l] - pages.address) >> page_bits;
        if (page == last_ || page >= pages.count || space_of(d, address[l]) != global_space) return;
        std::atomic_ref<std::uint8_t> state(pages.states[page]);
        if (state.load(std::memory_order_relaxed) == ManagedPages::here) return;
        if (!is_in(*w.launch, address[l], &Region::managed)) return;  // beside managed memory, in its page
        state.store(ManagedPages::fetched, std::memory_order_relaxed);
        faults |= is_first(page);
        last_ = page;
    });
    if (!faults) return;
    Warp& warp = *w.warp;  // accesses that follow each other in the code are waited for together
    if (warp.fault_rounds == 0 || d.number <= warp.last_fault) ++warp.fault_rounds;
    warp.last_fault = d.number;
}

void PageFaults::end_block(const Block& block) {
    for (const Warp& warp : block.warps) longest_ = std::max(longest_, warp.fault_rounds);
    here_.clear();
    last_ = ~0ull;
}

}  // namespace foretell::complete
