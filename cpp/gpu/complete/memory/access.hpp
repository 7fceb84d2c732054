// Accesses to memory. Private to complete execution.
#pragma once

#include <algorithm>

#include "gpu/complete/dense.hpp"

namespace foretell::complete {

inline constexpr std::uint64_t shared_offset_mask = 0xffffff;
inline constexpr int rank_bit = 24;  // of an address in shared memory: the block of the cluster

// Host memory at addresses of the device. Not a pointer that an address is added to: before its array it has no meaning.
struct HostBytes {
    std::uintptr_t first = 0;  // of the host's memory, less its address on the device; wraps
    bool is_known = false;
    explicit operator bool() const { return is_known; }
    std::uint8_t* operator+(std::uint64_t address) const { return reinterpret_cast<std::uint8_t*>(first + address); }
};

// Addresses of all lanes.
void addresses(const Worker& w, const Dense& d, std::uint64_t* to);
// The space that an address is in; of generic ones by their window.
int space_of(const Dense& d, std::uint64_t address);
void check_alignment(const Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes);
// Host memory of all lanes, if they are in one region of global memory.
HostBytes common_bytes(Worker& w, const Dense& d, const std::uint64_t* address, Mask m, bool writes);
// Shared memory of the own block: the rank in the address is not looked at.
std::uint8_t* shared_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);
std::uint32_t* local_words(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);
// Shared memory of the block of the cluster whose rank is in the address.
std::uint8_t* cluster_bytes(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size,
                            bool writes);
[[noreturn]] void fail_access(const Worker& w, const Dense& d, FaultKind kind, int lane, std::uint64_t address,
                              std::uint32_t size, bool writes, int space);
// Global or shared memory.
std::uint8_t* bytes_at(Worker& w, const Dense& d, int lane, std::uint64_t address, std::uint32_t size, bool writes);

}  // namespace foretell::complete
