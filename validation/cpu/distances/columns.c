/* Time per line of walks down columns: cc -O2 -march=native columns.c && ./a.out

   Rows: bytes from one line to the next; columns: how many lines are walked, again and again. Independent sums, best of 60. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

__attribute__((noinline)) static double walk(const char *p, long stride, long lines, long times) {
  double s[4] = {0, 0, 0, 0};
  for (long r = 0; r < times; r++) {
    const char *q = p;
    for (long k = 0; k < lines; k += 4, q += 4 * stride)
      for (int part = 0; part < 4; part++) s[part] += *(const double *)(q + part * stride);
  }
  return s[0] + s[1] + s[2] + s[3];
}

int main(void) {
  const long most = 64l << 20, lines[] = {32, 128, 1024, 4096, 16384};
  const long strides[] = {64, 128, 192, 256, 320, 512, 576, 1024, 1088, 2048, 2112, 4096, 4160, 8192, 8256};
  char *p = aligned_alloc(1 << 21, most);
  volatile double sink = 0;
  memset(p, 0, most);
  printf("stride");
  for (int i = 0; i < 5; i++) printf("%8ld", lines[i]);
  printf("  lines; ns each\n");
  for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++) {
    printf("%6ld", strides[s]);
    for (int i = 0; i < 5 && strides[s] * lines[i] <= most; i++) {
      const long times = 20000 / lines[i] + 1;
      double best = 1;
      for (int r = 0; r < 60; r++) {
        const double start = now();
        sink += walk(p, strides[s], lines[i], times);
        const double each = (now() - start) / times / lines[i];
        if (each < best) best = each;
      }
      printf("%8.2f", best * 1e9);
    }
    printf("\n");
  }
  return 0;
}
