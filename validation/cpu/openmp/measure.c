/* Times the loops of loops.c with 1, 4, 8 and as many threads as there are CPUs.
 *
 *   gcc -O3 -march=native -fopenmp -c loops.c && gcc -O2 -fopenmp measure.c loops.o -o measure && ./measure > times.csv
 *
 * Each row: function, parameters, threads, the least and the median time of a call in seconds, calls. Threads stay where
 * GOMP_CPU_AFFINITY puts them; data are touched by the threads that use them.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void triad_static(long, double, const double*, const double*, double*);
double dot_reduction(long, const double*, const double*);
void triangle_static(long, const double*, const double*, double*);
void triangle_cyclic(long, const double*, const double*, double*);
void triangle_dynamic(long, const double*, const double*, double*);
void triangle_guided(long, const double*, const double*, double*);
void fine_dynamic(long, const double*, double*);
void neighbours_cyclic(long, const double*, double*);
void chunks_dynamic(long, const double*, double*);
void slabs_outer(long, long, const double*, double*);
void slabs_collapse(long, long, const double*, double*);
void counts_shared(long, long, const long*, long*);
void counts_apart(long, long, const long*, long*);
void columns_shared(long, long, double*);
void product_rows(long, const double*, const double*, double*);
void smooth_region(long, long, double*, double*);

enum { MOST = 400 };
static double *a, *b, *c;
static long *counts, *numbers;
static volatile double result;
static const size_t length = 6000000;

static void call(int which, long m, long n) {
    switch (which) {
        case 0: triad_static(n, 0.5, b, c, a); break;
        case 1: result = dot_reduction(n, b, c); break;
        case 2: triangle_static(n, a, b, c); break;
        case 3: triangle_cyclic(n, a, b, c); break;
        case 4: triangle_dynamic(n, a, b, c); break;
        case 5: triangle_guided(n, a, b, c); break;
        case 6: fine_dynamic(n, b, c); break;
        case 7: chunks_dynamic(n, b, c); break;
        case 8: slabs_outer(m, n, a, b); break;
        case 9: slabs_collapse(m, n, a, b); break;
        case 10: counts_shared(m, n, numbers, counts); break;
        case 11: counts_apart(m, n, numbers, counts); break;
        case 12: columns_shared(m, n, a); break;
        case 13: product_rows(n, a, b, c); break;
        case 14: neighbours_cyclic(n, b, c); break;
        default: smooth_region(m, n, a, b);
    }
}

static const struct {
    const char *name, *text;
    long m, n;
} cases[] = {
    {"triad_static", "n=200000", 0, 200000},     {"triad_static", "n=6000000", 0, 6000000},
    {"dot_reduction", "n=100000", 0, 100000},    {"dot_reduction", "n=6000000", 0, 6000000},
    {"triangle_static", "n=1200", 0, 1200},      {"triangle_cyclic", "n=1200", 0, 1200},
    {"triangle_dynamic", "n=1200", 0, 1200},     {"triangle_guided", "n=1200", 0, 1200},
    {"fine_dynamic", "n=20000", 0, 20000},       {"chunks_dynamic", "n=200000", 0, 200000},
    {"slabs_outer", "m=10 n=300", 10, 300},      {"slabs_collapse", "m=10 n=300", 10, 300},
    {"counts_shared", "m=16 n=4000", 16, 4000},  {"counts_apart", "m=16 n=4000", 16, 4000},
    {"columns_shared", "m=2000 n=96", 2000, 96}, {"product_rows", "n=320", 0, 320},
    {"neighbours_cyclic", "n=20000", 0, 20000},  {"smooth_region", "steps=10 n=40000", 10, 40000},
};
static const char* names[] = {"triad_static",     "dot_reduction",   "triangle_static",   "triangle_cyclic",
                              "triangle_dynamic", "triangle_guided", "fine_dynamic",      "chunks_dynamic",
                              "slabs_outer",      "slabs_collapse",  "counts_shared",     "counts_apart",
                              "columns_shared",   "product_rows",    "neighbours_cyclic", "smooth_region"};

static int longer(const void* x, const void* y) {
    const double p = *(const double*)x, q = *(const double*)y;
    return (p > q) - (p < q);
}

static void fill(void) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < length; i++) a[i] = b[i] = c[i] = 0.5;
    for (long i = 0; i < 4000; i++) numbers[i] = i & 7;
    memset(counts, 0, 16 * 16 * sizeof *counts);
}

static void time_case(int k, int threads, double seconds) {
    static double times[MOST];
    int which = 0, calls = 0;
    while (strcmp(names[which], cases[k].name)) which++;
    omp_set_num_threads(threads);
    fill();
    call(which, cases[k].m, cases[k].n);
    const double begun = omp_get_wtime();
    while (calls < MOST && (calls < 5 || omp_get_wtime() - begun < seconds)) {
        const double start = omp_get_wtime();
        call(which, cases[k].m, cases[k].n);
        times[calls++] = omp_get_wtime() - start;
    }
    qsort(times, calls, sizeof *times, longer);
    printf("%s,%s,%d,%.4e,%.4e,%d\n", cases[k].name, cases[k].text, threads, times[0], times[calls / 2], calls);
    fflush(stdout);
}

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 0.15;
    const int all = omp_get_num_procs(), threads[] = {1, 2, 4, 8, 16};
    a = aligned_alloc(64, length * sizeof *a), b = aligned_alloc(64, length * sizeof *b);
    c = aligned_alloc(64, length * sizeof *c);
    counts = aligned_alloc(64, 16 * 16 * sizeof *counts), numbers = aligned_alloc(64, 4096 * sizeof *numbers);
    printf("function,parameters,threads,least,median,calls\n");
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            if (threads[t] <= all) time_case((int)k, threads[t], seconds);
    return 0;
}
