// What the core is like at this moment: its clock, and whether somebody else is on it.
#pragma once

#include <cstdint>

namespace foretell::probe {

// Seconds, from some point on.
double now();

// Seconds of one cycle at this moment, from some microseconds, `times` as long.
double cycle_now(std::uint64_t times);

// Whether somebody else is on this core, from some 30 microseconds: the time of an operation of as many beside each other as
// a core takes, which others slow, over that of one in a chain of multiplications, which they hardly do. Alone, it is
// the same number every time; with somebody else on the core it is greater by a third to three quarters.
double interference_now();

}  // namespace foretell::probe
