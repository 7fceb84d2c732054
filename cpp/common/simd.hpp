// Compiles a function for several instruction sets of one family; the loader selects the best one at run time. Only the
// vector width differs: contraction into fused operations is off, so results are identical.
#pragma once

// Not under ThreadSanitizer: it instruments what the loader calls to select, before its own library can be called.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define FORETELL_SELECTS
#endif

#if defined(FORETELL_SELECTS)
#define FORETELL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FORETELL_CLONES
#endif

// The same for a function that counts and shifts bits, together with its callees.
#if defined(FORETELL_SELECTS)
#define FORETELL_BITS __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define FORETELL_BITS
#endif

// A function that requires vectors of 64 bytes, and whether the host has them.
#if defined(__x86_64__) && defined(__GNUC__)
#define FORETELL_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2")))
namespace foretell {
inline bool wide_vectors() {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
}
}  // namespace foretell
#else
namespace foretell {
inline constexpr bool wide_vectors() { return false; }
}  // namespace foretell
#endif

// Callees of such a function must be inlined, or its loops stay scalar.
#if defined(__GNUC__)
#define FORETELL_INLINE inline __attribute__((always_inline))
#else
#define FORETELL_INLINE inline
#endif
