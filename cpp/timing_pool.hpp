// The warps of a sub-core that wait for their time. Private to the timing core.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace foretell::timing {

inline constexpr double never = std::numeric_limits<double>::infinity();

// Ranks are places by age: the highest is the youngest warp, which goes first. Every question goes through all times
// without a branch: a heap or a sorted list guesses wrong too often.
class Pool {
public:
    static constexpr std::size_t most = 64;

    explicit Pool(std::size_t slots) : slots_(slots), looked_at_((slots + 7) / 8 * 8) {
        for (std::size_t k = 0; k < slots; ++k) slot_of_[k] = rank_of_[k] = static_cast<std::uint8_t>(k);
        times_.fill(never);
    }

    // The slot gets a new warp, the youngest: all that are younger than its old one move down a rank.
    void renew(std::uint32_t slot) {
        for (std::size_t rank = rank_of_[slot]; rank + 1 < slots_; ++rank) {
            slot_of_[rank] = slot_of_[rank + 1];
            rank_of_[slot_of_[rank]] = static_cast<std::uint8_t>(rank);
            times_[rank] = times_[rank + 1];
        }
        slot_of_[slots_ - 1] = static_cast<std::uint8_t>(slot);
        rank_of_[slot] = static_cast<std::uint8_t>(slots_ - 1);
        times_[slots_ - 1] = never;
    }

    void add(std::uint32_t slot, double time) { times_[rank_of_[slot]] = time; }

    // The youngest that is ready now is taken out; somebody is.
    std::uint32_t take(double now) { return taken(ready(now)); }

    // The same where a slot is added just before.
    std::uint32_t take(double now, std::uint32_t slot, double time) {
        const std::size_t rank = rank_of_[slot];
        const std::uint64_t mask = ready(now) | static_cast<std::uint64_t>(time <= now) << rank;
        times_[rank] = time;
        return taken(mask);
    }

    // When the first of those that wait is ready.
    double earliest() const {
#ifdef __SSE2__
        __m128d a = _mm_set1_pd(never), b = a;
        for (std::size_t k = 0; k < looked_at_; k += 8) {
            a = _mm_min_pd(_mm_min_pd(a, _mm_load_pd(&times_[k])), _mm_load_pd(&times_[k + 4]));
            b = _mm_min_pd(_mm_min_pd(b, _mm_load_pd(&times_[k + 2])), _mm_load_pd(&times_[k + 6]));
        }
        a = _mm_min_pd(a, b);
        return _mm_cvtsd_f64(_mm_min_sd(a, _mm_unpackhi_pd(a, a)));
#else
        return *std::min_element(times_.begin(), times_.begin() + looked_at_);
#endif
    }

private:
    // By rank.
    std::uint64_t ready(double now) const {
        std::uint64_t mask = 0;
#ifdef __SSE2__
        const __m128d limit = _mm_set1_pd(now);
        const auto pair = [&](std::size_t k) {
            return static_cast<std::uint64_t>(_mm_movemask_pd(_mm_cmple_pd(_mm_load_pd(&times_[k]), limit)));
        };
        for (std::size_t k = 0; k < looked_at_; k += 8)
            mask |= (pair(k) | pair(k + 2) << 2 | (pair(k + 4) | pair(k + 6) << 2) << 4) << k;
#else
        for (std::size_t k = 0; k < looked_at_; ++k) mask |= static_cast<std::uint64_t>(times_[k] <= now) << k;
#endif
        return mask;
    }

    std::uint32_t taken(std::uint64_t mask) {
        const auto rank = static_cast<std::size_t>(std::bit_width(mask) - 1);
        times_[rank] = never;
        return slot_of_[rank];
    }

    alignas(64) std::array<double, most> times_;  // by rank
    std::size_t slots_, looked_at_;
    std::array<std::uint8_t, most> slot_of_{}, rank_of_{};
};

}  // namespace foretell::timing
