// malloc and free in kernels.
#pragma once

#include "gpu/complete/memory/access.hpp"

namespace foretell::complete {

// The address of `bytes` bytes of the launch's heap, aligned to 16; 0 where there is no room.
std::uint64_t heap_take(Worker&, const Dense&, int lane, std::uint64_t bytes);
// Gives memory back; an address that heap_take did not give is a fault.
void heap_give(Worker&, const Dense&, int lane, std::uint64_t address);

}  // namespace foretell::complete
