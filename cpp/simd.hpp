// A function compiled for several instruction sets of one family; the loader picks the best one at run time.
// Only rounding and vector width differ: contraction into fused operations is off, so results do not.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FORETELL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
// Whether such a function has vectors of 64 bytes here: without them, compilers take those apart element by element.
namespace foretell {
inline bool wide_vectors() { return __builtin_cpu_supports("avx512f"); }
}  // namespace foretell
#else
#define FORETELL_CLONES
namespace foretell {
inline constexpr bool wide_vectors() { return false; }
}  // namespace foretell
#endif

// What such a function calls must be part of it, or its loops stay scalar.
#if defined(__GNUC__)
#define FORETELL_INLINE inline __attribute__((always_inline))
#else
#define FORETELL_INLINE inline
#endif
