// Ready times of a sub-core's warps. Private to the timing core.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace foretell::timing {

inline constexpr double never = std::numeric_limits<double>::infinity();

// By value: one instruction each; std::min and std::max often compile to branches.
inline double sooner(double a, double b) { return b < a ? b : a; }
inline double later(double a, double b) { return a < b ? b : a; }

// Warps by rank: the highest is the youngest, which has priority. One branch-free pass over all times finds the ready
// warps and the next time: a heap or a sorted list mispredicts too often.
class Pool {
public:
    static constexpr std::size_t most = 64;

    explicit Pool(std::size_t slots) : slots_(slots), looked_at_((slots + 7) / 8 * 8) {
        for (std::size_t k = 0; k < slots; ++k) slot_of_[k] = rank_of_[k] = static_cast<std::uint8_t>(k);
        times_.fill(never);
    }

    // Assigns a new warp, the youngest, to the slot: all that are younger than its old one move down a rank.
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

    // Sets the time at which the warp is ready; `never`: when others wake it.
    void add(std::uint32_t slot, double time) {
        put(rank_of_[slot], time);
        earliest_ = sooner(earliest_, time);
    }

    // Removes the youngest ready warp. Its time stays, as one in the past.
    std::uint32_t take(double now) { return choose(look(now), now); }

    // The same, and reinserts the warp that issued before. The choice depends only on the times of the others if its
    // own, known last, is predicted to be later.
    std::uint32_t change(std::uint32_t slot, double time, double now) {
        Look seen = look(now);
        const std::uint64_t bit = std::uint64_t{1} << rank_of_[slot];
        put(rank_of_[slot], time);
        seen.ready &= ~bit;
        if (time <= now) [[unlikely]]
            seen.ready |= bit;
        else if (time < seen.next) seen.next = time;
        return choose(seen, now);
    }

    // Time at which the first is ready; if one is already, any time in the past.
    double earliest() const { return earliest_; }

private:
    struct Look {
        std::uint64_t ready;  // by rank
        double next;          // when the first of the others is ready
    };

    std::uint32_t choose(const Look& seen, double now) {
        earliest_ = (seen.ready & (seen.ready - 1)) != 0 ? now : seen.next;  // another is ready, or will be
        return slot_of_[static_cast<std::size_t>(std::bit_width(seen.ready) - 1)];
    }

    Look look(double now) const {
#if defined(__SSE2__)
        std::uint64_t ready = 0;
        const __m128d limit = _mm_set1_pd(now);
        __m128d first[2] = {_mm_set1_pd(never), _mm_set1_pd(never)};
        const auto two = [&](std::size_t k, __m128d& next) {
            const __m128d times = _mm_load_pd(&times_[k]), there = _mm_cmple_pd(times, limit);
            next = _mm_min_pd(_mm_or_pd(times, there), next);  // ready ones become NaN, and `next` is kept
            return _mm_castpd_ps(there);
        };
        const auto four = [&](std::size_t k) {
            const __m128 low = two(k, first[0]), high = two(k + 2, first[1]);
            return _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
        };
        for (std::size_t k = 0; k < looked_at_; k += 8) {
            const __m128i low = four(k), eight = _mm_packs_epi32(low, four(k + 4));
            ready |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(eight, _mm_setzero_si128()))) << k;
        }
        const __m128d both = _mm_min_pd(first[0], first[1]);
        return {ready, _mm_cvtsd_f64(_mm_min_sd(both, _mm_unpackhi_pd(both, both)))};
#elif defined(__aarch64__)
        const float64x2_t limit = vdupq_n_f64(now), endless = vdupq_n_f64(never);
        float64x2_t first[2] = {endless, endless};
        uint64x2_t ready[2] = {vdupq_n_u64(0), vdupq_n_u64(0)}, bits = {1, 2};
        const auto two = [&](std::size_t k, std::size_t half) {
            const float64x2_t times = vld1q_f64(&times_[k]);
            const uint64x2_t there = vcleq_f64(times, limit);
            ready[half] = vorrq_u64(ready[half], vandq_u64(there, bits));
            first[half] = vminq_f64(first[half], vbslq_f64(there, endless, times));
            bits = vshlq_n_u64(bits, 2);
        };
        for (std::size_t k = 0; k < looked_at_; k += 4) {
            two(k, 0);
            two(k + 2, 1);
        }
        return {vaddvq_u64(vorrq_u64(ready[0], ready[1])), vminvq_f64(vminq_f64(first[0], first[1]))};
#else
        std::uint64_t ready = 0;
        double next = never;
        for (std::size_t k = 0; k < looked_at_; ++k) {
            ready |= static_cast<std::uint64_t>(times_[k] <= now) << k;
            next = sooner(next, times_[k] <= now ? never : times_[k]);
        }
        return {ready, next};
#endif
    }

    // Stores as wide as the loads: a wider load would stall on store forwarding.
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
    alignas(64) std::array<double, most> times_;                                       // by rank
    double earliest_ = never;
    std::size_t slots_, looked_at_;
    std::array<std::uint8_t, most> slot_of_{}, rank_of_{};
};

}  // namespace foretell::timing
