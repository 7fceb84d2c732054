/* A look at a core: two short spins that tell, without counters, whether a thread has the core for itself.
 *
 * The chain is one multiplication after the other: so many times their latency, whoever else is on the core. Its time is
 * the clock, and whether the CPU was taken away. The wide spin has as many operations beside each other as the core
 * takes: a neighbour on it takes from them. `foretell.uses.cpu.looks` says what follows from the two times.
 */
#ifndef FORETELL_LOOK_H
#define FORETELL_LOOK_H

#include <stdint.h>
#include <time.h>

#if defined(__GNUC__)
/* Both in the same place of their lines whatever is before them, or one program's spins would be slower than another's. */
#define FORETELL_SPIN static __attribute__((noinline, aligned(64)))
/* A compiler would join operations, or leave them out. */
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
