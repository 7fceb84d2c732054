/* Time per line of columns beside streams: cc -O3 -march=native lines.c && ./a.out

   Streams use whole lines, columns one element of each; columns are so many lines apart. The shortest of 60. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ELEMENTS = 8, LINES = 40000, ROUNDS = 60, KINDS = 6, SIZES = 4, APARTS = 6 };

static volatile double sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

typedef void (*walk)(double *p, long lines, long apart);

__attribute__((noinline)) static void stream_read(double *p, long lines, long apart) {
  double s[2 * ELEMENTS] = {0};
  for (long i = 0; i < lines * ELEMENTS; i += 2 * ELEMENTS)
    for (int k = 0; k < 2 * ELEMENTS; k++) s[k] += p[i + k];
  for (int k = 0; k < 2 * ELEMENTS; k++) sink += s[k] + 0 * apart;
}

__attribute__((noinline)) static void stream_update(double *p, long lines, long apart) {
  for (long i = 0; i < lines * ELEMENTS; i++) p[i] = p[i] * 0.999 + 1e-3;
  sink += apart;
}

__attribute__((noinline)) static void stream_write(double *p, long lines, long apart) {
  for (long i = 0; i < lines * ELEMENTS; i++) p[i] = 1.5;
  sink += apart;
}

__attribute__((noinline)) static void column_read(double *p, long lines, long apart) {
  double s[4] = {0};
  const long rows = lines / apart & ~3l, step = apart * ELEMENTS;
  for (long c = 0; c < apart; c++)
    for (long r = 0; r < rows; r += 4)
      for (int part = 0; part < 4; part++) s[part] += p[c * ELEMENTS + (r + part) * step];
  sink += s[0] + s[1] + s[2] + s[3];
}

__attribute__((noinline)) static void column_update(double *p, long lines, long apart) {
  for (long c = 0; c < apart; c++) {
    double *q = p + c * ELEMENTS;
    for (long r = 0; r < lines / apart; r++, q += apart * ELEMENTS) *q = *q * 0.999 + 1e-3;
  }
}

__attribute__((noinline)) static void column_write(double *p, long lines, long apart) {
  for (long c = 0; c < apart; c++) {
    double *q = p + c * ELEMENTS;
    for (long r = 0; r < lines / apart; r++, q += apart * ELEMENTS) *q = 1.5;
  }
}

static double shortest(walk go, double *p, long lines, long apart) {
  const long times = 1 + LINES / lines;
  double best = 1;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now();
    for (long k = 0; k < times; k++) go(p, lines, apart);
    const double each = (now() - start) / times / lines;
    if (each < best) best = each;
  }
  return best;
}

int main(void) {
  const char *names[KINDS] = {"stream read", "stream update", "stream write", "column read", "column update", "column write"};
  const walk walks[KINDS] = {stream_read, stream_update, stream_write, column_read, column_update, column_write};
  const long sizes[SIZES] = {256l << 10, 512l << 10, 1l << 20, 8l << 20}, aparts[APARTS] = {3, 17, 63, 65, 125, 251};
  double *p = aligned_alloc(1 << 21, 16l << 20);
  memset(p, 0, 16l << 20);
  for (int kind = 0; kind < KINDS; kind++)
    for (int size = 0; size < SIZES; size++) {
      const int streams = kind < KINDS / 2;
      printf("%-14s%5ldK", names[kind], sizes[size] >> 10);
      for (int k = 0; k < (streams ? 1 : APARTS); k++) {
        const long lines = sizes[size] / 64, rows = lines / aparts[k] & ~3l;
        printf("%7.3f", 1e9 * shortest(walks[kind], p, streams ? lines : rows * aparts[k], aparts[k]));
      }
      printf("\n");
    }
  return 0;
}
