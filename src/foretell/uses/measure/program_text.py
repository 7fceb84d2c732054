"""Text of the programs that time one function: the data and the call are given, the timing is the same for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.uses.profiling.profile import include_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

#: multiplications in the chain of an interference check
CHAIN_PASSES = 4096
#: the two spins of an interference check
_INTERFERENCE = include_folder() / "foretell_interference.h"


def assembled(declare: str, data: Sequence[str], call: str, fills: Sequence[str], checksum: Sequence[str] = ()) -> str:
    """A program that declares a function, its data, fills them from the words of its command line, and times the call.

    With `checksum`, statements that add the results to `sum`, it first calls once and prints the sum, and ends there if
    it is given no time.
    """
    first = ["static double foretell_checksum(void) {", "  double sum = 0.0;", *checksum, "  return sum;", "}"]
    return "\n".join(
        [
            "#define _GNU_SOURCE",
            "#define main foretell_main_of_the_source",
            declare,
            "#undef main",
            f'#include "{_INTERFERENCE}"',
            _HEAD.replace("@CHAIN@", str(CHAIN_PASSES)),
            *data,
            f"static void foretell_call(void) {{ {call}; }}",
            "static void foretell_fill(char **given) {",
            *fills,
            "}",
            *(first if checksum else ()),
            _MAIN.replace("@FIRST@", _FIRST if checksum else ""),
        ]
    )


_FIRST = """\
  foretell_call();
  printf("checksum %.12e\\n", foretell_checksum());
  if (seconds <= 0) return 0;
"""

_HEAD = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
#if defined(_OPENMP)
#include <omp.h>
#define FORETELL_PARALLEL_FOR _Pragma("omp parallel for schedule(static)")
#define FORETELL_PARALLEL _Pragma("omp parallel")
#define FORETELL_BARRIER _Pragma("omp barrier")
#else
#define FORETELL_PARALLEL_FOR
#define FORETELL_PARALLEL
#define FORETELL_BARRIER
#endif
enum {
  FORETELL_MOST = 2000, FORETELL_LEAST = 8, FORETELL_THREADS = 1024,
  FORETELL_CHAIN = @CHAIN@, FORETELL_WIDE = 2048, /* passes of the two spins of an interference check */
  FORETELL_ALONE = 32, /* checks of one thread */
  FORETELL_FAR = 4 << 20 /* numbers that a check of memory reads */
};
static const double FORETELL_CHUNK = 30e-6;
/* Memory of its own pages. Arrays start in different places of a page, the first ones, which most functions read,
   ahead of those behind them: a load that is less than a page behind a store seems to depend on it. */
static void *foretell_get(size_t bytes, int number) {
  char *all = (char *)aligned_alloc(4096, (bytes / 4096 + 2) * 4096);
  if (!all) {
    fputs("not enough memory\\n", stderr);
    _Exit(1);
  }
  return all + 448 * (8 - number % 9);
}
static uint64_t foretell_next(void) {
  static uint64_t x = 88172645463325252UL;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}
"""

_MAIN = """\
static double foretell_clock(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* Last check of a thread: how often it was preempted, the two spins, its part of memory, and
   its processor time before and after that. Threads write to lines of their own. */
static struct {
  long pushed;
  int64_t chain, wide, memory;
  double began, ended;
  char apart[80];
} foretell_seen[FORETELL_THREADS];
/* The same of all threads: the sum, and the longest. */
struct foretell_seen_by_all {
  long pushed;
  long long chain, wide, memory;
};
static volatile uint64_t foretell_spun;
static uint64_t *foretell_far; /* where arrays are in no cache */
static void foretell_check_thread(int me, int threads) {
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  foretell_seen[me].pushed = use.ru_nivcsw;
  foretell_seen[me].began = foretell_clock(CLOCK_THREAD_CPUTIME_ID);
  int64_t start = foretell_nanoseconds();
  uint64_t x = foretell_chain((uint64_t)me + 1, FORETELL_CHAIN);
  foretell_seen[me].chain = foretell_nanoseconds() - start;
  FORETELL_BARRIER
  start = foretell_nanoseconds();
  x = foretell_wide(x, FORETELL_WIDE);
  foretell_seen[me].wide = foretell_nanoseconds() - start;
  if (foretell_far) {
    const int part = FORETELL_FAR / threads;
    start = foretell_nanoseconds();
    for (int k = part * me; k < part * (me + 1); k += 8) x += foretell_far[k]; /* one of each line */
    foretell_seen[me].memory = foretell_nanoseconds() - start;
  }
  foretell_spun = x;
  foretell_seen[me].ended = foretell_clock(CLOCK_THREAD_CPUTIME_ID);
}
/* All threads check; `used` is the least processor time of a thread since the previous check. */
static struct foretell_seen_by_all foretell_check(double *used) {
  static double before[FORETELL_THREADS];
  static int threads = 1;
  struct foretell_seen_by_all all = {0, 0, 0, 0};
  FORETELL_PARALLEL
  {
    int me = 0, count = 1;
#if defined(_OPENMP)
    me = omp_get_thread_num(), count = omp_get_num_threads();
#endif
    if (me == 0) threads = count;
    foretell_check_thread(me, count);
  }
  *used = 1e9;
  for (int k = 0; k < threads; k++) {
    const double since = foretell_seen[k].began - before[k];
    if (since < *used) *used = since;
    before[k] = foretell_seen[k].ended;
    all.pushed += foretell_seen[k].pushed;
    if (foretell_seen[k].chain > all.chain) all.chain = foretell_seen[k].chain;
    if (foretell_seen[k].wide > all.wide) all.wide = foretell_seen[k].wide;
    if (foretell_seen[k].memory > all.memory) all.memory = foretell_seen[k].memory;
  }
  return all;
}
static int foretell_alone(const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) return 3;
  for (int k = 0; k < FORETELL_ALONE; k++) {
    foretell_check_thread(0, 1);
    fprintf(out, "%lld %lld\\n", (long long)foretell_seen[0].chain, (long long)foretell_seen[0].wide);
  }
  return fclose(out) ? 3 : 0;
}
static double foretell_calls(long count) {
  const double start = foretell_clock(CLOCK_MONOTONIC);
  for (long k = 0; k < count; k++) foretell_call();
  return foretell_clock(CLOCK_MONOTONIC) - start;
}
/* So many calls that they take a chunk; after them caches and pages are as in the middle of a run. */
static long foretell_count(void) {
  for (long count = 1;; count *= 2) {
    double fastest = 1e9;
    for (int k = 0; k < 2 || (k < 3 && fastest < 0.01); k++) {
      const double time = foretell_calls(count);
      if (time < fastest) fastest = time;
    }
    if (fastest >= FORETELL_CHUNK) {
      const long exact = (long)((double)count * FORETELL_CHUNK / fastest);
      return exact < 1 ? 1 : exact;
    }
  }
}
int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const double seconds = atof(argv[3]);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040); /* numbers near zero become zero: they would take a hundred times as long */
#endif
  if (foretell_alone(argv[2])) return 3;
  if (atoi(argv[4])) {
    foretell_far = (uint64_t *)foretell_get(FORETELL_FAR * sizeof *foretell_far, 0);
    for (int k = 0; k < FORETELL_FAR; k++) foretell_far[k] = 1;
  }
  foretell_fill(argv + 5);
@FIRST@  const long count = foretell_count();
  FILE *out = fopen(argv[1], "w");
  if (!out) return 3;
  const double end = foretell_clock(CLOCK_MONOTONIC) + seconds;
  double used;
  struct foretell_seen_by_all before = foretell_check(&used);
  for (long chunk = 0; chunk < FORETELL_MOST; chunk++) {
    if (chunk >= FORETELL_LEAST && foretell_clock(CLOCK_MONOTONIC) > end) break;
    const double wall = foretell_calls(count);
    const struct foretell_seen_by_all after = foretell_check(&used);
    fprintf(out, "%.9e %.9e %d %lld %lld %lld %lld %lld %lld\\n", wall / (double)count, used / (double)count,
            after.pushed != before.pushed, before.chain, before.wide, before.memory, after.chain, after.wide,
            after.memory);
    before = after;
  }
  return fclose(out) ? 3 : 0;
}
"""
