// Copies between global and shared memory that one instruction begins. Private to complete execution.
#pragma once

#include "gpu/complete/memory/access.hpp"

namespace foretell::complete {

// A uniform register: `row` after that of source `k`.
inline std::uint32_t uniform_word(const Worker& w, const Dense& d, int k, int row = 0) {
    return w.source_row(d, k, row)[0];
}
inline std::uint64_t uniform_address(const Worker& w, const Dense& d, int k) {
    return std::uint64_t{uniform_word(w, d, k, 1)} << 32 | uniform_word(w, d, k);
}

// Global memory of a copy of any size; fails outside of a region.
std::uint8_t* copied_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint64_t size, bool writes);

// Calls `receive` with the address of shared memory and of the mbarrier in each block that gets a copy: those of the mask,
// or the one whose rank is in the address.
template <class F>
void each_receiver(std::uint32_t to, std::uint32_t object, bool multicast, std::uint32_t mask, F&& receive) {
    if (!multicast) return receive(to, object);
    for (std::uint32_t rank = 0; rank < 16; ++rank)
        if (mask >> rank & 1)
            receive((to & shared_offset_mask) | rank << rank_bit, (object & shared_offset_mask) | rank << rank_bit);
}

}  // namespace foretell::complete
