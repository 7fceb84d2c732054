// Histogram of stack distances.
#pragma once

#include <cstdint>

namespace foretell::trace {

// Counts of distances: exact up to kExact, then 256 ranges per octave; first touches come last.
struct Distances {
    static constexpr std::uint32_t kExact = 1u << 16;
    static constexpr std::uint32_t kPerOctave = 256;
    static constexpr std::uint32_t kCold = kExact + 16 * kPerOctave;
    static constexpr std::uint32_t kSize = kCold + 1;

    static std::uint32_t index(std::uint32_t distance) {
        if (distance < kExact) [[likely]]
            return distance;
        const int octave = 31 - __builtin_clz(distance);  // 16 and above
        return kExact + (static_cast<std::uint32_t>(octave) - 16) * kPerOctave +
               ((distance >> (octave - 8)) - kPerOctave);
    }
    // Smallest distance of an entry; the largest is the next entry's minus one.
    static std::uint64_t first(std::uint32_t at) {
        if (at < kExact) return at;
        const std::uint32_t beyond = at - kExact;
        return static_cast<std::uint64_t>(kPerOctave + beyond % kPerOctave) << (beyond / kPerOctave + 8);
    }
};

}  // namespace foretell::trace
