// Which region an address is in.
#pragma once

#include <algorithm>

#include "gpu/complete/complete.hpp"

namespace foretell::complete {

// Whether an address is in a region of a kind.
inline bool is_in(const Launch& launch, std::uint64_t address, bool Region::* kind) {
    const auto& regions = launch.regions;
    const auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                        [](std::uint64_t a, const Region& r) { return a < r.address; });
    if (after == regions.begin()) return false;
    const Region& region = *(after - 1);
    return region.*kind && address - region.address < region.size;
}

}  // namespace foretell::complete
