/* Time per line of walks through all lines of a region, column by column: cc -O2 -march=native columns.c && ./a.out

   Apart: lines from one to the next, as in a matrix with rows of so many lines. Independent sums, or stores; the shortest
   of many stretches of 30,000 lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64, STRETCH = 30000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

__attribute__((noinline)) static double load(char *p, long apart, long rows, long first, long columns) {
  double s[4] = {0, 0, 0, 0};
  for (long c = first; c < first + columns; c++) {
    const char *q = p + c % apart * LINE;
    for (long k = 0; k < rows; k += 4, q += 4 * apart * LINE)
      for (int part = 0; part < 4; part++) s[part] += *(const double *)(q + part * apart * LINE);
  }
  return s[0] + s[1] + s[2] + s[3];
}

__attribute__((noinline)) static double store(char *p, long apart, long rows, long first, long columns) {
  for (long c = first; c < first + columns; c++) {
    char *q = p + c % apart * LINE;
    for (long k = 0; k < rows; k += 4, q += 4 * apart * LINE)
      for (int part = 0; part < 4; part++) *(double *)(q + part * apart * LINE) = 1.0;
  }
  return 0;
}

static double shortest(double (*walk)(char *, long, long, long, long), char *p, long bytes, long apart) {
  const long rows = bytes / LINE / apart & ~3l, columns = STRETCH / rows + 1;
  double best = 1;
  volatile double sink = walk(p, apart, rows, 0, apart);
  for (long r = 0, first = 0; r < 200; r++, first += columns) {
    const double start = now();
    sink += walk(p, apart, rows, first, columns);
    const double each = (now() - start) / columns / rows;
    if (each < best) best = each;
  }
  return best;
}

int main(void) {
  const long sizes[] = {512l << 10, 1l << 20, 3l << 20, 5l << 20, 8l << 20};
  const long aparts[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 32, 33, 48, 63, 64, 65, 66, 68, 96, 128, 129, 130, 132};
  char *p = aligned_alloc(1 << 21, 8l << 20);
  memset(p, 0, 8l << 20);
  for (int stores = 0; stores < 2; stores++) {
    printf("%s, ns a line\napart", stores ? "stores" : "loads");
    for (int i = 0; i < 5; i++) printf("%6ldK", sizes[i] >> 10);
    for (unsigned k = 0; k < sizeof aparts / sizeof *aparts; k++) {
      printf("\n%5ld", aparts[k]);
      for (int i = 0; i < 5; i++) printf("%7.2f", 1e9 * shortest(stores ? store : load, p, sizes[i], aparts[k]));
    }
    printf("\n");
  }
  return 0;
}
