/* Interference check: two short spins that detect an SMT co-runner without hardware counters.
 *
 * The chain is a sequence of dependent multiplications: its time is their latency whether or not a co-runner is on the
 * core, so it depends only on the clock, and on preemption. The wide spin has as many independent operations as the core
 * can issue: a co-runner slows it. `foretell.uses.measure.interference` evaluates the two times.
 */
#ifndef FORETELL_INTERFERENCE_H
#define FORETELL_INTERFERENCE_H

#include <stdint.h>
#include <time.h>

#if defined(__GNUC__)
/* Both are aligned to lines, or the spins of one program would be slower than those of another. */
#define FORETELL_SPIN static __attribute__((noinline, aligned(64)))
/* Prevents the compiler from merging or removing operations. */
#define FORETELL_AS_IT_IS(x) __asm__ volatile("" : "+r"(x))
#else
#define FORETELL_SPIN static
static volatile uint64_t foretell_nothing;
#define FORETELL_AS_IT_IS(x) x ^= foretell_nothing
#endif

static int64_t foretell_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

FORETELL_SPIN uint64_t foretell_chain(uint64_t x, int passes) {
  for (int k = 0; k < passes; k++) {
    x *= 0x9e3779b97f4a7c15u;
    FORETELL_AS_IT_IS(x);
  }
  return x;
}

#define FORETELL_STEP(x) x = (x ^ 0x5bd1e995) + 0x1b873593; FORETELL_AS_IT_IS(x)

FORETELL_SPIN uint64_t foretell_wide(uint64_t x, int passes) {
  uint64_t a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x;
  for (int k = 0; k < passes; k++) {
    FORETELL_STEP(a); FORETELL_STEP(b); FORETELL_STEP(c); FORETELL_STEP(d); FORETELL_STEP(e);
    FORETELL_STEP(f); FORETELL_STEP(g); FORETELL_STEP(h); FORETELL_STEP(i); FORETELL_STEP(j);
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j;
}

#endif
