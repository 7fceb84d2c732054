// Ten small kernels, each a marked region, run by one, two or four threads that share a cache: kernels ARGUMENT
// The threads take turns, a part of the work at a time, in one program: a simulated cache sees them as a core with that many
// hardware threads would. Every thread has data of its own, so the only thing that they share is the cache.
#include "foretell.h"

enum { MOST = 4, PARTS = 240, N = 240 * 40, M = 120, S = 240, TABLE = 2400 };

static struct {
    double a[N], b[N], c[N], A[M][M], B[M][M], C[M][M], g[S][S], h[S][S], table[TABLE];
    int index[N];
    double sum;
} of[MOST];

#define ROWS(all) for (int i = part * (all) / PARTS; i < (part + 1) * (all) / PARTS; ++i)
#define KERNEL(name) __attribute__((noinline)) static void name(int t, int part)

KERNEL(triad) { ROWS(N) of[t].a[i] = of[t].b[i] + 3.0 * of[t].c[i]; }

KERNEL(dot) { ROWS(N) of[t].sum += of[t].a[i] * of[t].b[i]; }

KERNEL(repeated) {  // a vector that fits, read again and again
    (void)part;
    for (int i = 0; i < TABLE; ++i) of[t].sum += of[t].table[i];
}

KERNEL(gather) { ROWS(N) of[t].sum += of[t].a[of[t].index[i]]; }

KERNEL(near_gather) { ROWS(N) of[t].sum += of[t].table[of[t].index[i] % TABLE]; }

KERNEL(matrix_product) {
    ROWS(M) for (int j = 0; j < M; ++j) {
        double sum = 0;
        for (int k = 0; k < M; ++k) sum += of[t].A[i][k] * of[t].B[k][j];
        of[t].C[i][j] = sum;
    }
}

KERNEL(blocked_product) {
    enum { W = 24 };
    ROWS(M) for (int kk = 0; kk < M; kk += W)
        for (int k = kk; k < kk + W; ++k)
            for (int j = 0; j < M; ++j) of[t].C[i][j] += of[t].A[i][k] * of[t].B[k][j];
}

KERNEL(stencil) {
    ROWS(S) if (i > 0 && i < S - 1) for (int j = 1; j < S - 1; ++j)
        of[t].h[i][j] = .25 * (of[t].g[i - 1][j] + of[t].g[i + 1][j] + of[t].g[i][j - 1] + of[t].g[i][j + 1]);
}

KERNEL(transpose) { ROWS(S) for (int j = 0; j < S; ++j) of[t].h[j][i] = of[t].g[i][j]; }

KERNEL(histogram) { ROWS(N) of[t].table[of[t].index[i] % 700 * 3] += 1; }

static void run(const char* name, void (*kernel)(int, int), int threads) {
    FORETELL_BEGIN(name);
    for (int repeat = 0; repeat < 2; ++repeat)
        for (int part = 0; part < PARTS; ++part)
            for (int t = 0; t < threads; ++t) kernel(t, part);
    FORETELL_END;
}

int main(int argc, char** argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    for (int t = 0; t < MOST; ++t)
        for (int i = 0; i < N; ++i) of[t].b[i] = 1, of[t].index[i] = (int)(i * 2654435761u % N);
#define RUN(name) run(#name, name, threads)
    RUN(triad), RUN(dot), RUN(repeated), RUN(gather), RUN(near_gather);
    RUN(matrix_product), RUN(blocked_product), RUN(stencil), RUN(transpose), RUN(histogram);
    return 0;
}
