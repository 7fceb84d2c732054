/* Times of the kernels that `foretell validate cpu` cannot call, records and rows by pointers:
   cc -O3 -march=native times.c && ./a.out [ROUNDS]     (name, n, seconds; the shortest of many calls) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL __attribute__((noinline, noclone))
KERNEL
#include "wide_records.c"
KERNEL
#include "points.c"
KERNEL
#include "bodies.c"
KERNEL
#include "mixed_records.c"
KERNEL
#include "rows_by_pointers.c"
KERNEL
#include "product_by_pointers.c"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *memory(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(p, 0, bytes);
  return p;
}

static double **rows(long n) {
  double **a = memory(n * sizeof *a);
  for (long i = 0; i < n; i++) a[i] = calloc(n, sizeof **a);
  return a;
}

#define TIME(name, n, call)                                            \
  do {                                                                 \
    double best = 1e9;                                                 \
    const double until = now() + seconds;                              \
    call;                                                              \
    do {                                                               \
      const double start = now();                                      \
      long calls = 0;                                                  \
      double stop;                                                     \
      do { call; calls++; stop = now(); } while (stop - start < 2e-5); \
      if ((stop - start) / calls < best) best = (stop - start) / calls; \
    } while (now() < until);                                           \
    printf("%s %ld %.6e\n", #name, (long)(n), best);                   \
    fflush(stdout);                                                    \
  } while (0)

int main(int count, char **words) {
  const double seconds = 0.1 * (count > 1 ? atoi(words[1]) : 1);
  const long records[] = {300, 3000, 30000, 1000000}, sides[] = {40, 100, 256, 300, 700, 1500};
  for (int k = 0; k < 4; k++) {
    const long n = records[k];
    double *r = memory(8 * n);
    struct cell *c = memory(n * sizeof *c);
    struct point *p = memory(n * sizeof *p);
    struct body *b = memory(n * sizeof *b);
    struct sample *s = memory(n * sizeof *s);
    TIME(wide_records, n, wide_records(n, c, r));
    TIME(points, n, points(n, p, r));
    TIME(bodies, n, bodies(n, b, 1e-3));
    TIME(mixed_records, n, mixed_records(n, s, r));
    free(r), free(c), free(p), free(b), free(s);
  }
  for (int k = 0; k < 6; k++) {
    const long n = sides[k];
    double **a = rows(n), **b = rows(n), **c = rows(n), *x = memory(8 * n), *y = memory(8 * n);
    TIME(rows_by_pointers, n, rows_by_pointers(n, a, x, y));
    if (n <= 700) TIME(product_by_pointers, n, product_by_pointers(n, a, b, c));
  }
  return 0;
}
