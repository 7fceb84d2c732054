// Sectors of a line of 128 bytes.
#pragma once

#include <cstdint>

namespace foretell {

// How many of the four a mask has: a nibble of the table, since a processor may lack an instruction that counts bits.
inline unsigned sectors_in(std::uint64_t mask) { return 0x4332322132212110ull >> 4 * (mask & 15) & 15; }

}  // namespace foretell
