// Sets of an LRU cache level: 32 bits per line, most recently used first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "cachesim/cache.hpp"
#include "common/simd.hpp"

namespace foretell::cachesim {

// Tag: line number divided by the number of sets, and two flag bits above it: dirty; in use by a reference that stays
// on it, and therefore no victim.
using Tag = std::uint32_t;
inline constexpr Tag dirty_tag = Tag{1} << 31, tag_in_use = Tag{1} << 30, tag_number = tag_in_use - 1;
inline constexpr Tag no_tag = tag_number;  // empty slot

// Four slots in a vector of 16 bytes, which every processor has.
struct Narrow {
    static constexpr int lanes = 4;
    typedef Tag Vector __attribute__((vector_size(16), may_alias));

    // One bit per slot that holds the tag, regardless of marks.
    static inline std::uint32_t find(const Tag* slots, Tag tag) {
        const auto same = ((at(slots) ^ tag) & tag_number) == 0;
#if defined(__SSE2__)
        return static_cast<std::uint32_t>(_mm_movemask_ps(std::bit_cast<__m128>(same)));
#else
        return (same[0] & 1) | (same[1] & 2) | (same[2] & 4) | (same[3] & 8);
#endif
    }
    // Shifts the slots up to `place` by one, drops the one at `place`, and inserts `first` at the front.
    static inline void shift(Tag* slots, Tag first, std::uint32_t position) {
        constexpr Vector ways = {0, 1, 2, 3};
        const Vector here = at(slots), moved = __builtin_shufflevector(here, Vector{first}, 4, 0, 1, 2);
        *reinterpret_cast<Vector*>(slots) = ways <= position ? moved : here;
    }
    // Moves the slot found to the front, sets the marks of `marked` and clears those of `no_longer`.
    static inline void renew(Tag* slots, std::uint32_t matches, Tag marked, Tag no_longer) {
        const std::uint32_t position = std::countr_zero(matches);
        shift(slots, (slots[position] | marked) & ~no_longer, position);
    }

private:
    static inline Vector at(const Tag* slots) { return *reinterpret_cast<const Vector*>(slots); }
};

#if defined(FORETELL_WIDE)
// Sixteen slots in a vector of 64 bytes.
struct Wide {
    static constexpr int lanes = 16;

    FORETELL_WIDE static inline std::uint32_t find(const Tag* slots, Tag tag) {
        const __m512i different = _mm512_xor_si512(_mm512_load_si512(slots), _mm512_set1_epi32(tag));
        return _mm512_testn_epi32_mask(different, _mm512_set1_epi32(tag_number));
    }
    FORETELL_WIDE static inline void shift(Tag* slots, Tag first, std::uint32_t position) {
        const __m512i here = _mm512_load_si512(slots);
        const __mmask16 moving = static_cast<__mmask16>((2u << position) - 1);
        _mm512_store_si512(slots, _mm512_mask_alignr_epi32(here, moving, here, _mm512_set1_epi32(first), 15));
    }
    FORETELL_WIDE static inline void renew(Tag* slots, std::uint32_t matches, Tag marked, Tag no_longer) {
        const __m512i here = _mm512_load_si512(slots);
        const __m512i first = _mm512_maskz_compress_epi32(static_cast<__mmask16>(matches), here);
        const __mmask16 moving = static_cast<__mmask16>(matches ^ (matches - 1));
        const __m512i moved = _mm512_mask_alignr_epi32(here, moving, here, here, 15);
        const __m512i both = _mm512_or_si512(first, _mm512_set1_epi32(marked));
        _mm512_store_si512(slots, _mm512_mask_andnot_epi32(moved, 1, _mm512_set1_epi32(no_longer), both));
    }
    // Lookup and replacement without a branch, if no tag has marks: moves the tag to the front, in place of itself, or
    // else of the one in slot `last`. Returns whether it was present.
    FORETELL_WIDE static inline bool exchange(Tag* slots, Tag tag, std::uint32_t last) {
        const __m512i here = _mm512_load_si512(slots), first = _mm512_set1_epi32(tag);
        const std::uint32_t matches = _mm512_cmpeq_epi32_mask(here, first), matches_or_last = matches | 1u << last;
        const __mmask16 moving = static_cast<__mmask16>(matches_or_last ^ (matches_or_last - 1));
        _mm512_store_si512(slots, _mm512_mask_alignr_epi32(here, moving, here, first, 15));
        return matches != 0;
    }
};
#else
using Wide = Narrow;
#endif

// Lookup key of a line: the first slot of its set, and its tag, with the marks to set.
struct Spot {
    std::uint32_t first;
    Tag tag;
};

// Sets of up to Slots::lanes × vectors ways; `even`: their number is a power of two.
template <typename Slots, int vectors, bool even>
class Recent {
public:
    Recent(const Places& places, std::uint32_t ways, Tag* tags)
        : sets_(places.sets),
          inverse_(~std::uint64_t{0} / places.sets),
          set_bits_(std::max(places.set_bits, 0)),
          last_(ways - 1),
          tags_(tags) {}

    FORETELL_INLINE Spot spot(Line line, Tag marks) const {
        std::uint64_t number = line >> set_bits_, set = line & (sets_ - 1);
        if constexpr (!even) {  // the quotient is at most one too small: lines have far fewer than 64 bits
            number = static_cast<std::uint64_t>(static_cast<Product>(line) * inverse_ >> 64);
            set = line - number * sets_;
            number += set >= sets_;
            set -= set >= sets_ ? sets_ : 0;
        }
        const std::uint64_t row = even ? set ^ set >> 6 : set;  // as in Places
        return {static_cast<std::uint32_t>(row * stride), static_cast<Tag>(number) | marks};
    }
    // Accesses a line, clears the marks `no_longer`, and makes it the most recent. Returns whether it hit; on a miss,
    // `leaving` is the victim with its marks: the least recently used, empty slots first. A line in use is more recent
    // than all others, whatever its position.
    FORETELL_INLINE bool access(Spot spot, Tag no_longer, Tag& leaving) {
        Tag* const set = tags_ + spot.first;
        for (int block = 0; block < vectors; ++block) {  // most hits are among the newest: the others are not searched
            const std::uint32_t matches = Slots::find(set + Slots::lanes * block, spot.tag);
            if (!matches) continue;
            if (block == 0) {
                Slots::renew(set, matches, spot.tag, no_longer);
            } else {
                const std::uint32_t position = Slots::lanes * block + std::countr_zero(matches);
                to_front(set, position, (set[position] | spot.tag) & ~no_longer);
            }
            return true;
        }
        leaving = set[last_];
        to_front(set, last_, spot.tag);
        return false;
    }
    // The same if no line has marks, branch-free where possible: for unpredictable hits.
    FORETELL_INLINE bool exchange(Spot spot, Tag& leaving) {
        if constexpr (Slots::lanes == Narrow::lanes || vectors > 1) {
            return access(spot, 0, leaving);
        } else {
            leaving = tags_[spot.first + last_];
            return Slots::exchange(tags_ + spot.first, spot.tag, last_);
        }
    }
    // Moves a line in use back to the front, and selects another victim instead.
    Tag spare(Spot spot, Tag leaving) { return spare(tags_ + spot.first, last_, leaving); }
    bool holds(Spot spot) const {
        const Tag* const set = tags_ + spot.first;
        return std::any_of(set, set + last_ + 1, [spot](Tag slot) { return (slot & tag_number) == spot.tag; });
    }
    // Line of a tag that was in the set of another line.
    FORETELL_INLINE Line line_of(Tag tag, Line other) const {
        const Line number = tag & tag_number;
        return even ? number << set_bits_ | (other & (sets_ - 1)) : number * sets_ + other % sets_;
    }
    // Prefetches the set into the host's caches.
    FORETELL_INLINE void prefetch(Spot spot) const {
        constexpr int tags_to_a_line = 64 / sizeof(Tag);
        for (int tag = 0; tag < stride; tag += tags_to_a_line) __builtin_prefetch(tags_ + spot.first + tag, 1);
    }

private:
    __extension__ typedef unsigned __int128 Product;
    static constexpr int stride = vectors * Slots::lanes;
    // Inserts a tag at the front; shifts those before `place` by one, and drops the one at `place`.
    FORETELL_INLINE static void to_front(Tag* set, std::uint32_t position, Tag first) {
        for (int block = 0; block < vectors - 1 && position >= Slots::lanes; ++block, position -= Slots::lanes) {
            const Tag next = set[Slots::lanes - 1];
            Slots::shift(set, first, Slots::lanes - 1);
            set += Slots::lanes;
            first = next;
        }
        Slots::shift(set, first, position);
    }
    __attribute__((noinline, cold)) static Tag spare(Tag* set, std::uint32_t last, Tag leaving) {
        while (leaving & tag_in_use) {
            const Tag next = set[last];
            std::copy_backward(set, set + last, set + last + 1);
            *set = leaving;
            leaving = next;
        }
        return leaving;
    }
    std::uint64_t sets_;
    std::uint64_t inverse_;  // 2^64 / sets: a division would dominate
    int set_bits_;           // log2 of their number, if that is a power of two
    std::uint32_t last_;
    Tag* tags_;
};

}  // namespace foretell::cachesim
