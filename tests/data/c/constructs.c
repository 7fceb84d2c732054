/* Every construct of C that the front end knows: each case prints what it computed. The program is compiled by a
   compiler and run, and lowered and interpreted; both must print the same. Nothing here is undefined or unspecified. */

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SHOW(x) printf("%s=%ld ", #x, (long)(x))
#define REAL(x) printf("%s=%.15g ", #x, (double)(x))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define EVER for (;;)
#define UPTO(i, n) for (; i < n; i++)
#define DOWN(n) for (; n > 0; --n)
#define UPWARD(i, s) for (int i = 0;; i += s)
#define FOR(i, n) for (int i = 0; i < (n); i++)
struct point { double x, y; int tag[3]; };
struct node { int value; struct node *next; };
union both { int64_t i; double d; unsigned char bytes[8]; };
typedef struct { struct point corner[2]; double *data; union { int a; float b; }; } box;
enum color { RED, GREEN = 5, BLUE };
static const int LIMIT = 3 * BLUE;
static int counter = 7;
static double table[2][3] = {{1, 2, 3}, {4}};
static int next(void) { return ++counter; }
static double square(double x) { return x * x; }
static double twice(double x) { return 2 * x; }
static int divide(int a, int b, int *rest) { *rest = a % b; return a / b; }
static struct point moved(struct point p, double by) { p.x += by; p.tag[1]++; return p; }
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static double apply(double (*f)(double), double x) { return f(x) + (*f)(x); }
static void fill(int n, int m, double a[n][m]) { FOR(i, n) FOR(j, m) a[i][j] = 10 * i + j; }
static double sum(int n, const double *p) { double s = 0; while (n--) s += *p++; return s; }
static void bump(int a[], int n) { for (; n > 0; n--) *a++ += n; }

static void case_loop_heads(void)
{
    int i, j, n = 7;
    for (i = 0; i < n; i++) SHOW(i); SHOW(i);
    for (i = n; i > 0; i -= 3) SHOW(i); SHOW(i);
    for (i = 0; i <= n; i += 2) SHOW(i); SHOW(i);
    for (i = 0; i != n; ++i) if (i == 3) continue; else SHOW(i);
    for (i = n - 1; i >= 0; --i) if (i == 2) break; else SHOW(i); SHOW(i);
    for (i = 0, j = n; i < j; i++, j--) { SHOW(i); SHOW(j); }
    for (i = 0, j = 1; i < n; j *= 2, i++) { if (i == 2) continue; SHOW(j); }
    for (i = 0; n > i; i = i + 2) SHOW(i);
    for (i = 0; i + 2 < n; i++) SHOW(i);
    for (i = 0; i < n && i < 4; i++) SHOW(i); SHOW(i);
    for (i = 5; i < 3; i++) SHOW(i); SHOW(i);
    for (int k = 0, m = n + 1; k < m; k++) SHOW(k);
    for (i = 2, j = i + 1; i < 4; i++) SHOW(j);
    for (i = n; i; i--) SHOW(i); SHOW(i);
    for (j = i = 0; i < 3; i++, j += 2) SHOW(j); divide(7, 2, &i); for (i = 0; i < 2; i++) SHOW(i);
}

static void case_missing_parts(void)
{
    int i = 0, n = 4;
    for (; i < n; i++) SHOW(i);
    for (i = 0;; i++) { if (i > 2) break; SHOW(i); }
    for (i = 0; i < n;) { SHOW(i); i += 2; }
    for (;;) { if (--n < 0) break; SHOW(n); }
    for (i = 3; i;) SHOW(i--);
    for (; i < 3;) SHOW(i++);
}

static void case_unsigned_counters(void)
{
    size_t n = 5, m = 0;
    for (size_t i = n; i-- > 0;) SHOW(i);
    for (size_t i = 0; i < m; i++) SHOW(i);
    for (unsigned i = 0; i + 1 < n; i++) SHOW(i);
    for (unsigned char c = 250; c < 253; c++) SHOW(c);
    for (int64_t i = 0; i < (int64_t)n; i++) SHOW(i);
}

static void case_counting_while(void)
{
    int n = 4, i = 0;
    while (n--) SHOW(n); SHOW(n);
    n = 4; while (--n) SHOW(n); SHOW(n);
    n = 4; while (n-- > 1) { if (n == 2) continue; SHOW(n); } SHOW(n);
    while (i++ < 3) SHOW(i); SHOW(i);
    n = 3; while (n--) { if (n == 1) break; SHOW(n); } SHOW(n);
    n = 5; do { SHOW(n); if (n == 3) continue; } while (--n > 1); SHOW(n);
    n = 3; do SHOW(n); while (n-- > 0); SHOW(n);
    n = 100; while (n > 1) { n /= 3; SHOW(n); }
}

static void case_changed_bounds(void)
{
    int n = 6, i, k = 2; int lim[2] = {5, 5}; struct point p = {0, 0, {4, 4, 4}};
    for (i = 0; i < n; i++) { if (i == 2) n--; SHOW(i); }
    for (i = 0; i < lim[0]; i++) { lim[0]--; SHOW(i); }
    for (i = 0; i < lim[1]; i++) { lim[0]++; SHOW(i); }
    for (i = 0; i < p.tag[1]; i++) { p.tag[1]--; SHOW(i); }
    for (i = 0; i < 10; i += k) { k++; SHOW(i); }
    for (i = 0; i < 5; i++) { i++; SHOW(i); }
    for (i = 0; i < 14 - next(); i++) SHOW(i);
    int *q = &i; for (i = 0; i < 6; i++) { *q += 1; SHOW(i); }
}

static void case_side_effects(void)
{
    int a[6] = {1, 2, 3, 4, 5, 6}, b[6], i = 0, j = 5, x, y, *p = a, *q = b;
    *q++ = *p++ * 2; *q++ = *p++; SHOW(b[0]); SHOW(b[1]); SHOW(p - a);
    x = y = a[2]; SHOW(x); SHOW(y);
    a[i++] = a[j--] + 10; SHOW(a[0]); SHOW(i); SHOW(j);
    a[i] += a[i + 1] -= 1; SHOW(a[1]); SHOW(a[2]);
    x = (i++, j++, i + j); SHOW(x);
    x = i > 1 ? i++ : j++; SHOW(x); SHOW(i); SHOW(j);
    if (i++ > 2 && j++ > 2) SHOW(i); SHOW(j);
    if (i > 100 && j++) SHOW(0); SHOW(j);
    if (i < 100 || j++) SHOW(1); SHOW(j);
    x = i++ < 5 && a[i] > 0; SHOW(x); SHOW(i);
    x = -(--i); SHOW(x); x = !i++; SHOW(x); x = ~a[0]; SHOW(x);
    p = a; x = *++p; (*p)--; SHOW(x); SHOW(*p);
    i = 2; x = next() + i; SHOW(x); SHOW(counter);
    while ((x = next()) < 20) SHOW(x);
    p = a; while (p < a + 3 && *p++ > 0) SHOW(*p);
    i = 3; x = a[i]++ + a[2]--; SHOW(x); SHOW(a[3]); SHOW(a[2]);
}

static void case_compound_types(void)
{
    char c = 120; c += 10; SHOW(c); unsigned char u = 250; u += 10; SHOW(u);
    int i = 7; i *= 1.5; SHOW(i); i /= 2.5; SHOW(i); i -= 0.5f; SHOW(i);
    float f = 1; f += 1e-9; f /= 3; REAL(f); double d = 1; d += 1e-9; REAL(d);
    short s = 30000; s += 10000; SHOW(s); unsigned v = 1; v -= 2; SHOW(v);
    i = 5; i <<= 3; SHOW(i); i >>= 1; SHOW(i); i ^= 3; i |= 8; i &= ~1; SHOW(i); i %= 7; SHOW(i);
    long l = 1L << 40; l += i; SHOW(l); c = -5; c /= 2; SHOW(c); c++; SHOW(c); u = 255; u++; SHOW(u);
    d = 7; d -= 3 / 2; REAL(d); bool t = 5; t += 3; SHOW(t);
}

static void case_mixed_arithmetic(void)
{
    int i = 7, j = -2; unsigned u = 3; long l = 1L << 33; float f = 0.1f; double d = 0.1;
    SHOW(i / j); SHOW(i % j); SHOW(-i / 2); SHOW(i / 2.0 * 10); SHOW(j < (int)u); SHOW(j < u); SHOW(j + u > 0);
    SHOW(l * 2 / i); SHOW((int)l); SHOW((short)70000); SHOW((unsigned char)300); SHOW(1 << 4 | 3);
    REAL(f + d); REAL(f * 3); REAL((float)d * 3); REAL(i * f); REAL(d * i / j); REAL(1 / 3 + 1 / 3.0); REAL(1.0f / 3);
    SHOW((i > 3) + (j < 0) + (i == 7)); SHOW(!i + !0); SHOW((bool)0.5); SHOW(sizeof(double) * i); SHOW('a' + 1);
    SHOW(-7 >> 1); SHOW(7u >> 1); SHOW((int)-2.9); SHOW((i & 6) == 6); SHOW(i ^ j); SHOW((uint8_t)~i);
    SHOW(2147483647 + (long)i); SHOW(i ? j : l); REAL(i ? j : d); SHOW(INT32_MAX); SHOW(LIMIT); SHOW(BLUE);
}

static void case_pointers(void)
{
    double a[3][4]; double *p = a[0], *end = &a[2][3] + 1, **rows, (*m)[4] = a; int n = 3;
    for (int i = 0; i < 12; i++) p[i] = i * i;
    REAL(m[1][2]); REAL(*(*(a + 2) + 1)); REAL((*(m + 1))[3]); REAL(2[p]); SHOW(end - p); REAL(*(end - 1));
    rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) rows[i] = a[n - 1 - i];
    REAL(rows[0][1]); REAL(*rows[1]); double *up = p + 4; REAL(up[-1]); REAL(*(up + n));
    double *x = a[0], *y = a[1], *t; FOR(k, 3) { t = x; x = y; y = t; } REAL(x[0]); REAL(y[0]);
    for (double *q = p; q != p + 4; q++) REAL(*q);
    for (double *q = end; q-- > end - 3;) REAL(*q);
    int v = 5, *pv = &v, **ppv = &pv; **ppv = 9; SHOW(v); SHOW(pv == &v); SHOW(!pv); bump(&v, 1); SHOW(v);
    int z[4] = {0}; bump(z, 4); bump(z + 1, 2); FOR(k, 4) SHOW(z[k]); free(rows);
}

static void case_variable_length(void)
{
    int n = 3, m = 4; double a[n][m], b[n + 1]; fill(n, m, a); n = 2;
    REAL(a[2][3]); REAL(sum(12, a[0])); SHOW(sizeof a); SHOW(sizeof(double[n][m])); SHOW(sizeof b / sizeof *b);
    double (*c)[m] = malloc(sizeof(double[3][m])); fill(3, m, c); REAL(c[1][1] + c[2][3]);
    double (*d)[n] = (double (*)[n])&c[0][0]; REAL(d[3][1]); fill(4, 3, (double (*)[3])c); REAL(c[0][3]);
    typedef double row[n + 1]; row r; r[2] = 5; REAL(r[2]); SHOW(sizeof(row)); free(c);
}

static void case_structures(void)
{
    struct point p = {1, 2, {3}}, q = p, *r = &q, ps[3] = {{1}, {.y = 4, .tag = {[2] = 9}}, p};
    r->x += 10; q.tag[1] = 4; (*r).y--; REAL(p.x); REAL(q.x); REAL(q.y); SHOW(r->tag[1]); SHOW(ps[1].tag[2]);
    REAL(ps[0].y); REAL(ps[2].y); q = moved(p, 0.5); REAL(q.x); SHOW(q.tag[1]); REAL(moved(q, 1).x); REAL(p.x);
    box b = {{{1, 2}, {3}}, &p.y, {7}}; REAL(b.corner[1].x); REAL(*b.data); SHOW(b.a); b.data[0] = 8; REAL(p.y);
    struct node c = {3, NULL}, d = {2, &c}, e = {1, &d}; for (struct node *k = &e; k; k = k->next) SHOW(k->value);
    union both u; u.d = 1.0; SHOW(u.bytes[7]); u.i = 5; SHOW(u.bytes[0]);
    r = (struct point[]){{5, 6, {0}}, {7, 8, {1, 2, 3}}}; REAL(r[1].y); SHOW((r + 1)->tag[2]);
    FOR(k, 3) { ps[k].x = k; ps[k].tag[k] = k * k; } REAL(ps[2].x + ps[1].x); SHOW(ps[2].tag[2]);
}

static void case_initialisers(void)
{
    int a[5] = {1, 2}, b[] = {5, [3] = 7, 8}, c[2][3] = {1, 2, 3, 4}, z[40] = {0}; char s[] = "abc";
    FOR(i, 5) SHOW(a[i]); FOR(i, 5) SHOW(b[i]); FOR(i, 2) FOR(j, 3) SHOW(c[i][j]); SHOW(sizeof b / sizeof b[0]);
    z[3] = 4; int t = 0; FOR(i, 40) t += z[i]; SHOW(t); SHOW(s[1]); SHOW(strlen(s)); REAL(table[1][0] + table[0][2]);
    const double third = 1.0 / 3; REAL(third); static int calls = 5; calls++; SHOW(calls); int y = {4}; SHOW(y);
    struct { int k; double w[2]; } loose[2] = {1, 2.5, 3.5, 4, 5.5}; REAL(loose[1].w[0]); REAL(loose[1].w[1]);
}

static void case_switches(void)
{
    for (int i = 0; i < 9; i++) {
        int r = 0;
        switch (i) {
            case 0: r = 1; break;
            case 1: case 2: r = 2;
            case 3: r += 10; if (i == 2) break; r += 100; break;
            case 4: { if (r == 0) { if (i > 3) break; r = 5; } r = 6; }
            case 5: for (int k = 0; k < 5; k++) { if (k == 2) break; r += k; } break;
            case 6: continue;
            default: r = -1; if (i == 8) break; r = -2;
        }
        SHOW(i); SHOW(r);
    }
    switch (3) { default: SHOW(1); case 7: SHOW(2); break; case 8: SHOW(3); }
    switch ('b') { case 'a' ... 'c': SHOW(4); break; }
    switch (9) { case 1: SHOW(5); }
}

static void case_jumps(void)
{
        int i = 0, j = 0;
    again:
        i++; if (i < 3) goto again; SHOW(i);
        for (i = 0; i < 5; i++) { for (j = 0; j < 5; j++) if (i * j == 6) goto out; }
    out:
        SHOW(i); SHOW(j);
        if (i) goto end; SHOW(99);
    end:;
        do { i++; if (i > 4) break; SHOW(i); } while (0);
        do { if (i > 4) continue; SHOW(i); } while (0); SHOW(i);
}

static void case_functions(void)
{
    int rest, q = divide(17, 5, &rest); SHOW(q); SHOW(rest); SHOW(fib(9)); REAL(apply(square, 3)); REAL(apply(&twice, 2));
    double (*f)(double) = square, (*fs[2])(double) = {twice, square}; REAL(f(4)); REAL((*f)(5)); REAL(fs[1](3) + fs[0](3));
    f = q > 1 ? twice : square; REAL(f(10)); SHOW(next() + next()); SHOW(counter > 7);
    int k = 0; SHOW(divide(k + 9, 2, &k)); SHOW(k); (void)next(); next(), next(); SHOW(k ? next() > 0 : -1);
}

static void case_mathematics(void)
{
    double x = 2.5, y = -1.25; float f = 2;
    REAL(sqrt(x)); REAL(fabs(y)); REAL(pow(x, 3)); REAL(fmax(x, y)); REAL(fmin(x, y)); REAL(floor(y)); REAL(ceil(y));
    REAL(fmod(7.5, 2)); REAL(sqrtf(f)); REAL(exp(0)); REAL(atan2(0, 1)); REAL(hypot(3, 4)); REAL(round(x)); SHOW(abs(-3));
    SHOW(labs(-3L)); REAL(trunc(y)); REAL(copysign(3, y)); REAL(fma(2, 3, 4)); REAL(fabsf(-f)); REAL(cbrt(27.0) > 2.99);
    double complex z = 1 + 2 * I; z *= z; REAL(creal(z)); REAL(cimag(z)); REAL(cabs(3 + 4 * I)); REAL(creal(conj(z) * z));
    REAL(__builtin_fabs(y)); SHOW(__builtin_expect(x > 2, 1)); REAL(M_PI > 3); SHOW(isnan(x) ? 1 : 0 * 2);
}

static void case_macros_and_blocks(void)
{
    int n = 9, s = 0; FOR(i, n) FOR(j, MIN(i, 3)) s += i * j; SHOW(s);
    s = ({ int t = n; t *= 2; t + 1; }); SHOW(s); s = ({ FOR(k, 3) n += k; n; }) + 1; SHOW(s);
    int i = 5; { int i = 6; SHOW(i); { int i = 7; i++; SHOW(i); } } SHOW(i); for (int i = 0; i < 2; i++) SHOW(i); SHOW(i);
    for (int ii = 0; ii < n; ii += 4) for (int k = ii; k < MIN(ii + 4, n); k++) SHOW(k);
    s = 0; for (int a = 0; a < 6; a++) for (int b = (a ^ n) & 1; b < 6; b += 2) s += a * b; SHOW(s);
    s = 0; for (int a = 0; a < 6; a++) for (int b = a; b >= 0; b--) s += b; SHOW(s);
    n = 40; n > 3 && next(); n > 50 || (s = 3); n ? (s += 1) : (s += 2); SHOW(s);
}

static void case_extensions(void)
{
    int x = 0, y = 4, n = 3, z = x ?: y; SHOW(z); z = y ?: x; SHOW(z); SHOW(next() ?: 9); SHOW(x ?: y++); SHOW(y); SHOW(n ?: y++); SHOW(y);
    SHOW(offsetof(struct point, y)); SHOW(offsetof(struct point, tag[1])); SHOW(__builtin_choose_expr(1, n, 2.0));
    SHOW(_Generic(n, int: 1, double: 2.5)); SHOW(__alignof__(double));
    EVER { if (--n < 0) break; SHOW(n); } n = 4; UPTO(x, n) SHOW(x); DOWN(n) SHOW(n); UPWARD(j, 1) { if (j > 2) break; SHOW(j); }
    int sum = 0; for (int i = 0; i < 5; i++) { double w[i + 1]; w[i] = i; sum += w[i] + sizeof w / sizeof *w; } SHOW(sum);
    typedef int pair[2]; pair q = {3, 4}; SHOW(q[1]); pair *r = &q; SHOW((*r)[0]); SHOW(**r); int (*s)[2] = &q; SHOW((*s)[1]);
    struct point p = (struct point){.x = 1.5}, *pp = &(struct point){.y = 2}; REAL(p.x + pp->y); REAL((*pp).y);
    char text[8] = "ab", *t = text; while (*t) SHOW(*t++); t = "xyz"; SHOW(t[2]); SHOW("pqr"[1]); int m[2][2][2] = {{{1, 2}, {3}}, 5};
    FOR(a, 2) FOR(b, 2) FOR(c, 2) SHOW(m[a][b][c]); volatile int v = 3; v++; SHOW(v); register int g = v; SHOW(g);
    __typeof__(n) k = 7; SHOW(k); __auto_type l = k + 1L; SHOW(l); const int fixed[3] = {1, 2, 3}; SHOW(fixed[v - 2]);
    REAL(__real__(1.5 + 2.0 * I)); REAL(__imag__(1.5 + 2.0 * I)); n = 3; (n > 2 ? &x : &y)[0] = 11; SHOW(x); *(n > 5 ? &x : &y) = 12; SHOW(y);
}

static void case_memory(void)
{
    int *p = calloc(4, sizeof(int)), q[4]; FOR(i, 4) p[i] = i * 3; memcpy(q, p, sizeof q); memset(p, 0, 8);
    FOR(i, 4) { SHOW(p[i]); SHOW(q[i]); } int *w = (int *)malloc(4 * sizeof(int)); w[3] = 2; SHOW(w[3]);
    double *d = alloca(3 * sizeof(double)); d[2] = 1.5; REAL(d[2]); free(p); free(w);
    int hist[3] = {0}, key[6] = {0, 2, 1, 2, 2, 0}; FOR(i, 6) hist[key[i]]++; FOR(i, 3) SHOW(hist[i]);
    int pos[3] = {0}, out[6]; for (int i = 1; i < 3; i++) pos[i] = pos[i - 1] + hist[i - 1];
    FOR(i, 6) out[pos[key[i]]++] = i; FOR(i, 6) SHOW(out[i]);
}

int main(void)
{
    printf("\n== loop_heads "); counter = 7; case_loop_heads();
    printf("\n== missing_parts "); counter = 7; case_missing_parts();
    printf("\n== unsigned_counters "); counter = 7; case_unsigned_counters();
    printf("\n== counting_while "); counter = 7; case_counting_while();
    printf("\n== changed_bounds "); counter = 7; case_changed_bounds();
    printf("\n== side_effects "); counter = 7; case_side_effects();
    printf("\n== compound_types "); counter = 7; case_compound_types();
    printf("\n== mixed_arithmetic "); counter = 7; case_mixed_arithmetic();
    printf("\n== pointers "); counter = 7; case_pointers();
    printf("\n== variable_length "); counter = 7; case_variable_length();
    printf("\n== structures "); counter = 7; case_structures();
    printf("\n== initialisers "); counter = 7; case_initialisers();
    printf("\n== switches "); counter = 7; case_switches();
    printf("\n== jumps "); counter = 7; case_jumps();
    printf("\n== functions "); counter = 7; case_functions();
    printf("\n== mathematics "); counter = 7; case_mathematics();
    printf("\n== macros_and_blocks "); counter = 7; case_macros_and_blocks();
    printf("\n== extensions "); counter = 7; case_extensions();
    printf("\n== memory "); counter = 7; case_memory();
    return 0;
}
