// Accesses to memory. Private to complete execution.
#pragma once

#include <algorithm>

#include "gpu/complete/dense.hpp"

namespace foretell::complete {

inline constexpr std::uint64_t shared_offset_mask = 0xffffff;

// Addresses of all lanes.
void addresses(const Worker& w, const Dense& d, std::uint64_t* to);
// The space that an address is in; of generic ones by their window.
int space_of(const Dense& d, std::uint64_t address);
void check_alignment(const Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes);
// Host memory less the address, if all lanes are in one region of global memory; null if not.
std::uint8_t* common_bytes(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes);
std::uint8_t* shared_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);
std::uint32_t* local_words(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);
// Global or shared memory.
std::uint8_t* bytes_at(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);

}  // namespace foretell::complete
