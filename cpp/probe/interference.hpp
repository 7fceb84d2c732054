// State of the core at this moment: its clock, and interference by co-runners.
#pragma once

#include <cstdint>

namespace foretell::probe {

// Monotonic time in seconds.
double now();

// Current clock period in seconds, from some microseconds, `times` as long.
double cycle_now(std::uint64_t times);

// Interference on this core, from some 30 microseconds: time per operation at full issue width, which co-runners
// increase, over that of a chain of multiplications, which they hardly affect. Without co-runners, it is always the
// same number; with one it is greater by a third to three quarters.
double interference_now();

}  // namespace foretell::probe
