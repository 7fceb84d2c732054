/* Time of a line where rows are taken in pieces, as tiles do: pieces of M lines, the next one a row further on.
   pieces LEVEL_KIB ROW_LINES: prints mode, KiB, lines of a row, of a piece, ns a line (least of many calls) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
typedef double v4 __attribute__((vector_size(32), aligned(32), may_alias));
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
v4 sink;
__attribute__((noinline)) static void rd(const char *a, char *b, long rows, long row, long m) {
    v4 s = {0}, u = {0};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            const v4 *p = (const v4 *)(a + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i += 2) { s += p[i]; u += p[i + 1]; }
        }
    sink = s + u;
}
__attribute__((noinline)) static void wr(const char *a, char *b, long rows, long row, long m) {
    v4 c = {1, 1, 1, 1};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            v4 *p = (v4 *)(b + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i += 2) { p[i] = c; p[i + 1] = c; __asm__ volatile("" ::: "memory"); }
        }
}
__attribute__((noinline)) static void up(const char *a, char *b, long rows, long row, long m) {
    v4 c = {.5, .5, .5, .5};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            v4 *p = (v4 *)(b + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i += 2) { p[i] += c; p[i + 1] += c; }
        }
}
__attribute__((noinline)) static void cp(const char *a, char *b, long rows, long row, long m) {
    v4 c = {.5, .5, .5, .5};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            const v4 *q = (const v4 *)(a + (r * row + t) * 64);
            v4 *p = (v4 *)(b + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i += 2) { p[i] = q[i] * c; p[i + 1] = q[i + 1] * c; }
        }
}
/* reading with as much arithmetic as code has: a chain-free polynomial of degree K a vector */
__attribute__((noinline)) static void ar(const char *a, char *b, long rows, long row, long m) {
    v4 c = {.5, .5, .5, .5}, s = {0};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            const v4 *q = (const v4 *)(a + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i++) {
                v4 x = q[i], y = x;
                y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c;
                y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c;
                s += y;
            }
        }
    sink = s;
}
/* reading with as much arithmetic as code has: a chain-free polynomial of degree 4 a vector */
__attribute__((noinline)) static void ar4(const char *a, char *b, long rows, long row, long m) {
    v4 c = {.5, .5, .5, .5}, s = {0};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 0; r < rows; r++) {
            const v4 *q = (const v4 *)(a + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i++) {
                v4 x = q[i], y = x;
                y = y * x + c; y = y * x + c; y = y * x + c; y = y * x + c;
                s += y;
            }
        }
    sink = s;
}
/* a stencil of five points, three new rows a piece */
__attribute__((noinline)) static void st(const char *a, char *b, long rows, long row, long m) {
    v4 c = {.5, .5, .5, .5};
    for (long t = 0; t + m <= row; t += m)
        for (long r = 1; r < rows - 1; r++) {
            const v4 *q = (const v4 *)(a + (r * row + t) * 64), *u = (const v4 *)(a + ((r - 1) * row + t) * 64), *d = (const v4 *)(a + ((r + 1) * row + t) * 64);
            v4 *p = (v4 *)(b + (r * row + t) * 64);
            for (long i = 0; i < 2 * m; i++) p[i] = p[i] * c + ((u[i] + d[i] - c * q[i]) * c + q[i]) * c;
        }
}
int main(int argc, char **argv) {
    long kib = atol(argv[1]), row = atol(argv[2]);
    double budget = argc > 3 ? atof(argv[3]) : 0.1;
    long rows = kib * 1024 / 64 / row;
    char *a, *b;
    if (posix_memalign((void **)&a, 4096, rows * row * 64 + 16384) || posix_memalign((void **)&b, 4096, rows * row * 64 + 16384)) return 1;
    b += 2112; memset(a, 0, rows * row * 64); memset(b, 0, rows * row * 64);
    struct { const char *name; void (*f)(const char *, char *, long, long, long); } modes[] = {{"read", rd}, {"write", wr}, {"update", up}, {"copy", cp}, {"arithmetic16", ar}, {"arithmetic4", ar4}, {"stencil", st}};
    long pieces[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 0};
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < 14; i++) {
            long m = pieces[i] ? pieces[i] : row;
            if (m > row || (pieces[i] && m * 2 > row && m != row)) continue;
            double best = 1e9, end = now() + budget;
            do { double t = now(); modes[k].f(a, b, rows, row, m); t = now() - t; if (t < best) best = t; } while (now() < end);
            printf("%s %ld %ld %ld %.4f\n", modes[k].name, kib, row, m, best * 1e9 / ((row / m) * m * (double)rows));
            fflush(stdout);
        }
}
