/* Times the product of product.c with every array written before (measure.sh):
 *
 *   times N CALLS [separate|block] [huge]
 *
 * LAYOUT is that of product.c. Rows by pointers are allocated one by one, or lie in one block; `huge` asks for pages of
 * 2 MiB. Prints for each call its seconds, and the nanoseconds of the two spins of the interference check before and after it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "foretell_interference.h"

#if LAYOUT == 0
enum { SIDE = 1000 };
extern double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
void product(int n);
#elif LAYOUT == 2
void product(int n, double **a, double **b, double **c);
#else
void product(int n, double *a, double *b, double *c);
#endif

static volatile uint64_t spun = 1;

static void spin(long long *chain, long long *wide) {
  const int64_t start = foretell_nanoseconds();
  spun = foretell_chain(spun, 4096);
  const int64_t middle = foretell_nanoseconds();
  spun = foretell_wide(spun, 2048);
  *chain = middle - start;
  *wide = foretell_nanoseconds() - middle;
}

/* All pages get memory of their own: what nobody has written lies on one page of zeros. */
static void fill(double *x, long count) {
  static uint64_t state = 88172645463325252u;
  for (long k = 0; k < count; k++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    x[k] = (double)(state >> 11) * 0x1p-53;
  }
}

static double *block(long count, int huge) {
  const size_t page = huge ? 2u << 20 : 4096, bytes = ((size_t)count * sizeof(double) / page + 1) * page;
  double *x = aligned_alloc(page, bytes);
  if (!x) exit(1);
  if (huge) madvise(x, bytes, MADV_HUGEPAGE);
  fill(x, count);
  return x;
}

#if LAYOUT == 2
static double **rows(long n, int separate, int huge) {
  double **x = malloc((size_t)n * sizeof *x), *all = separate ? NULL : block(n * n, huge);
  for (long i = 0; i < n; i++) {
    x[i] = separate ? malloc((size_t)n * sizeof(double)) : all + i * n;
    if (separate) fill(x[i], n);
  }
  return x;
}
#endif

int main(int argc, char **argv) {
  const int n = atoi(argv[1]), calls = atoi(argv[2]);
  const int separate = argc < 4 || !strcmp(argv[3], "separate"), huge = argc > 4;
  (void)separate, (void)huge;
#if LAYOUT == 0
  fill(&a[0][0], SIDE * SIDE), fill(&b[0][0], SIDE * SIDE), fill(&c[0][0], SIDE * SIDE);
#elif LAYOUT == 2
  double **a = rows(n, separate, huge), **b = rows(n, separate, huge), **c = rows(n, separate, huge);
#else
  double *a = block((long)n * n, huge), *b = block((long)n * n, huge), *c = block((long)n * n, huge);
#endif
  for (int k = 0; k < calls; k++) {
    long long chain[2], wide[2];
    spin(&chain[0], &wide[0]);
    const int64_t start = foretell_nanoseconds();
#if LAYOUT == 0
    product(n);
#else
    product(n, a, b, c);
#endif
    const int64_t taken = foretell_nanoseconds() - start;
    spin(&chain[1], &wide[1]);
    printf("%.6e %lld %lld %lld %lld\n", 1e-9 * (double)taken, chain[0], wide[0], chain[1], wide[1]);
  }
  return 0;
}
