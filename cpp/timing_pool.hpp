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

// By value: one instruction each, where std::min and std::max often become jumps.
inline double sooner(double a, double b) { return b < a ? b : a; }
inline double later(double a, double b) { return a < b ? b : a; }

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
        earliest_ = first();
    }

    void add(std::uint32_t slot, double time) {
        put(rank_of_[slot], time);
        earliest_ = sooner(earliest_, time);
    }

    // Those that are ready now, by rank.
    std::uint64_t ready(double now) const {
        std::uint64_t mask = 0;
#ifdef __SSE2__
        const __m128d limit = _mm_set1_pd(now);
        const auto two = [&](std::size_t k) { return _mm_castpd_ps(_mm_cmple_pd(_mm_load_pd(&times_[k]), limit)); };
        const auto four = [&](std::size_t k) { return _mm_castps_si128(_mm_shuffle_ps(two(k), two(k + 2), 0x88)); };
        for (std::size_t k = 0; k < looked_at_; k += 8) {
            const __m128i eight = _mm_packs_epi32(four(k), four(k + 4));
            mask |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(eight, _mm_setzero_si128()))) << k;
        }
#else
        for (std::size_t k = 0; k < looked_at_; ++k) mask |= static_cast<std::uint64_t>(times_[k] <= now) << k;
#endif
        return mask;
    }

    std::uint64_t bit_of(std::uint32_t slot) const { return std::uint64_t{1} << rank_of_[slot]; }

    // The youngest of some is taken out.
    std::uint32_t take(std::uint64_t mask) {
        const auto rank = static_cast<std::size_t>(std::bit_width(mask) - 1);
        put(rank, never);
        earliest_ = first();
        return slot_of_[rank];
    }

    // When the first of those that wait is ready.
    double earliest() const { return earliest_; }

private:
    double first() const {
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

    // As wide as it is read: what is read wider than it was written waits until that has left the processor.
    void put(std::size_t rank, double time) {
#ifdef __SSE2__
        double* pair = times_.data() + (rank & ~std::size_t{1});
        const __m128d here = _mm_castsi128_pd(_mm_load_si128(reinterpret_cast<const __m128i*>(side[rank & 1])));
        _mm_store_pd(pair, _mm_or_pd(_mm_and_pd(here, _mm_set1_pd(time)), _mm_andnot_pd(here, _mm_load_pd(pair))));
#else
        times_[rank] = time;
#endif
    }

    alignas(16) static constexpr std::uint64_t side[2][2] = {{~0ull, 0}, {0, ~0ull}};  // of a pair
    alignas(64) std::array<double, most> times_;  // by rank
    double earliest_ = never;
    std::size_t slots_, looked_at_;
    std::array<std::uint8_t, most> slot_of_{}, rank_of_{};
};

}  // namespace foretell::timing
