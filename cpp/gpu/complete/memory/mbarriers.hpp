// mbarriers: 64 bits in shared memory. Private to complete execution.
#pragma once

#include "gpu/complete/memory/access.hpp"

namespace foretell::complete {

// The barrier at an address, whose upper bits are the rank of a block in the cluster.
std::uint64_t read_object(Worker& w, const Dense& d, int lane, std::uint32_t address);

// `arrivals` threads arrive, and `transactions` more bytes (or fewer, if they came) are awaited in this phase; returns the
// word before.
std::uint64_t advance_object(Worker& w, const Dense& d, int lane, std::uint32_t address, std::uint32_t arrivals,
                             std::int64_t transactions, bool leaves = false);

// Whether the phase has ended whose parity is in bit 31 of `state`.
bool has_phase_ended(std::uint64_t word, std::uint32_t state);

}  // namespace foretell::complete
