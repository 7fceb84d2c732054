// Versions of eight examples made fast for CPUs, OpenMP and vectors: optimised NAME ARGUMENTS…  prints what the examples
// print, of the fastest of several rounds.
// g++ -O3 -march=native -ffast-math -fopenmp -I../../src/foretell/examples/kernels -o optimised optimised.cpp
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "example.h"

namespace {

constexpr int lanes = 8, rounds = 5;
typedef double Vector __attribute__((vector_size(8 * lanes), aligned(8 * lanes), may_alias));
typedef double Loose __attribute__((vector_size(8 * lanes), aligned(8), may_alias));
typedef int64_t Places __attribute__((vector_size(8 * lanes)));

Vector at(const double *from) { return *(const Loose *)from; }

// A line that is not read again soon goes past the caches.
void stream(double *to, Vector value) {
#if defined(__AVX512F__)
    _mm512_stream_pd(to, (__m512d)value);
#else
    *(Vector *)to = value;
#endif
}

// 1 / sqrt(v): an estimate of 14 bits and a step of third order, or what the compiler has.
Vector inverse_root(Vector v) {
#if defined(__AVX512F__)
    const Vector y = (Vector)_mm512_rsqrt14_pd((__m512d)v), error = 1.0 - v * y * y;
    return y + y * error * (0.5 + 0.375 * error);
#else
    for (int i = 0; i < lanes; i++) v[i] = 1.0 / sqrt(v[i]);
    return v;
#endif
}

// An array in large pages, with the numbers that the examples start from.
struct Array {
    double *data;
    size_t count;
    explicit Array(size_t values) : count(values) {
        const size_t page = size_t{2} << 20, bytes = (values * sizeof(double) + page) / page * page;
        data = static_cast<double *>(aligned_alloc(page, bytes));
        madvise(data, bytes, MADV_HUGEPAGE);
    }
    Array(size_t values, unsigned seed) : Array(values) {
        for (size_t i = 0; i < values; i++) data[i] = number(&seed);
    }
    Array(const Array &other) : Array(other.count) { *this = other; }
    Array &operator=(const Array &other) {
#pragma omp parallel for
        for (size_t i = 0; i < count; i++) data[i] = other.data[i];
        return *this;
    }
    ~Array() { free(data); }
    operator double *() const { return data; }
};

void timed(const double *result, size_t count, const std::function<void()> &reset, const std::function<void()> &body) {
    double best = 1e30;
    for (int round = 0; round < rounds; round++) {
        reset();
        start_threads();
        const double started = now();
        body();
        best = std::min(best, now() - started);
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += result[i];
    printf("seconds %.9f checksum %.12g\n", best, sum);
}

using Arguments = std::vector<int>;

// ------------------------------------------------------------------------------------------ product

constexpr int tall = 8, wide = 3, columns = wide * lanes, deep = 256;

// tall rows by `columns` columns of C, all in registers, plus a strip of A (deep by tall) times one of B (deep by columns).
void product_of_strips(int depth, const double *a, const double *b, double *c, size_t stride, int width) {
    Vector sum[tall][wide] = {};
    for (int k = 0; k < depth; k++, a += tall, b += columns)
#pragma GCC unroll 8
        for (int i = 0; i < tall; i++)
#pragma GCC unroll 3
            for (int j = 0; j < wide; j++) sum[i][j] += a[i] * *(const Vector *)(b + j * lanes);
    for (int i = 0; i < tall; i++) {
        if (width == columns) {
            for (int j = 0; j < wide; j++) *(Loose *)(c + i * stride + j * lanes) += sum[i][j];
        } else {
            for (int j = 0; j < width; j++) c[i * stride + j] += sum[i][j / lanes][j % lanes];
        }
    }
}

void matrix_product(const Arguments &given) {  // N must be a multiple of 8
    const int n = given.at(0), strips = (n + columns - 1) / columns;
    const Array a((size_t)n * n, 30), b((size_t)n * n, 31), start((size_t)n * n, 32), packed((size_t)strips * columns * n);
    Array c(start);
    const auto pack = [&](int strip) {
        for (int k = 0; k < n; k++)
            for (int j = 0; j < columns; j++) {
                const int column = strip * columns + j;
                packed[((size_t)strip * n + k) * columns + j] = column < n ? b[(size_t)k * n + column] : 0;
            }
    };
    const auto rows = [&](int first, int last, double *strip) {
        for (int depth = 0; depth < n; depth += deep) {
            const int length = std::min(deep, n - depth);
            for (int i = first; i < last; i++)
                for (int k = 0; k < length; k++)
                    strip[((i - first) / tall * length + k) * tall + (i - first) % tall] = a[(size_t)i * n + depth + k];
            for (int j = 0; j < strips; j++)
                for (int i = first; i < last; i += tall)
                    product_of_strips(length, strip + (size_t)(i - first) * length, packed + ((size_t)j * n + depth) * columns,
                                      c + (size_t)i * n + j * columns, n, std::min(columns, n - j * columns));
        }
    };
    timed(c, (size_t)n * n, [&] { c = start; }, [&] {
#pragma omp parallel
        {
            const int group = 64;
            double *strip = static_cast<double *>(aligned_alloc(64, sizeof(double) * group * deep));
#pragma omp for
            for (int j = 0; j < strips; j++) pack(j);
#pragma omp for
            for (int first = 0; first < n; first += group) rows(first, std::min(first + group, n), strip);
            free(strip);
        }
    });
}

// ------------------------------------------------------------------------------------------ vectors and matrices

void vector_update(const Arguments &given) {
    const long n = given.at(0);
    const Array x(n, 33), start(n, 34);
    Array y(start);
    timed(y, n, [&] { y = start; }, [&] {
        const double *from = x;
        double *to = y;
#pragma omp parallel for simd
        for (long i = 0; i < n; i++) to[i] += 0.3 * from[i];
    });
}

void dot(const Arguments &given) {
    const long n = given.at(0);
    const Array x(n, 35), y(n, 36);
    double sum = 0;
    timed(&sum, 1, [&] { sum = 0; }, [&] {
        const double *left = x, *right = y;
        double total = 0;
#pragma omp parallel for simd reduction(+ : total)
        for (long i = 0; i < n; i++) total += left[i] * right[i];
        sum = total;
    });
}

// Rows of eight vectors become columns: pairs, pairs of pairs, halves.
void turn(Vector (&v)[lanes]) {
    const Places low[3] = {{0, 8, 2, 10, 4, 12, 6, 14}, {0, 1, 8, 9, 4, 5, 12, 13}, {0, 1, 2, 3, 8, 9, 10, 11}};
    const Places high[3] = {{1, 9, 3, 11, 5, 13, 7, 15}, {2, 3, 10, 11, 6, 7, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15}};
#pragma GCC unroll 3
    for (int step = 0; step < 3; step++)
#pragma GCC unroll 8
        for (int i = 0; i < lanes; i++) {
            const int other = i | 1 << step;
            if (other == i) continue;
            const Vector first = v[i], second = v[other];
            v[i] = __builtin_shuffle(first, second, low[step]);
            v[other] = __builtin_shuffle(first, second, high[step]);
        }
}

void transpose(const Arguments &given) {  // N must be a multiple of 8
    const int n = given.at(0);
    const size_t cells = (size_t)n * n;
    const Array a(cells, 42), b(cells, 43);
    timed(b + cells / 3, cells / 2, [] {}, [&] {
#pragma omp parallel for
        for (int i = 0; i < n; i += lanes)  // eight rows are read along, and eight lines written at a time
            for (int j = 0; j < n; j += lanes) {
                Vector block[lanes];
#pragma GCC unroll 8
                for (int k = 0; k < lanes; k++) block[k] = at(a + (size_t)(i + k) * n + j);
                turn(block);
#pragma GCC unroll 8
                for (int k = 0; k < lanes; k++) stream(b + (size_t)(j + k) * n + i, block[k]);
            }
    });
}

void spmv_csr(const Arguments &given) {
    const int rows = given.at(0), per_row = given.at(1);
    std::vector<int> start(rows + 1), column((size_t)rows * per_row);
    unsigned state = 10;
    for (int i = 0; i <= rows; i++) start[i] = i * per_row;
    for (int &one : column) one = (int)(number(&state) * rows);
    const Array value(column.size(), 7), x(rows, 8), y(rows, 9);
    timed(y, rows, [] {}, [&] {
        const double *v = value, *in = x;
        const int *where = column.data();
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = start[i]; k < start[i + 1]; k++) sum += v[k] * in[where[k]];
            y[i] = sum;
        }
    });
}

// ------------------------------------------------------------------------------------------ grids

void jacobi7(const Arguments &given) {  // N must be a multiple of 8
    const int n = given.at(0), steps = given.at(1), strip = 32;
    const size_t cells = (size_t)n * n * n, plane = (size_t)n * n;
    const Array start(cells, 1);
    Array a(start), b(start);
    const auto row = [=](const double *from, double *to) {
        const auto one = [=](int k) {
            to[k] = 0.4 * from[k] + 0.1 * (from[k - plane] + from[k + plane] + from[k - n] + from[k + n] + from[k - 1] + from[k + 1]);
        };
        for (int k = 1; k < lanes; k++) one(k);
        for (int k = lanes; k < n - lanes; k += lanes)
            stream(to + k, 0.4 * at(from + k) + 0.1 * (at(from + k - plane) + at(from + k + plane) + at(from + k - n) + at(from + k + n) +
                                                      at(from + k - 1) + at(from + k + 1)));
        for (int k = n - lanes; k < n - 1; k++) one(k);
    };
    timed(a, cells, [&] { a = start, b = start; }, [&] {
        double *from = a, *to = b;
        for (int t = 0; t < steps; t++, std::swap(from, to)) {
#pragma omp parallel for collapse(2)
            for (int first = 1; first < n - 1; first += strip)  // three planes of a strip stay in a cache
                for (int i = 1; i < n - 1; i++)
                    for (int j = first; j < std::min(first + strip, n - 1); j++) row(from + i * plane + j * n, to + i * plane + j * n);
        }
    });
}

constexpr int side = 9, high = 4, broad = 4;

// `high` rows of results by `broad` vectors in registers; each part of the image is read once for all of them.
void filtered(const double *filter, const double *image, size_t image_stride, double *result, size_t stride) {
    Vector sum[high][broad] = {};
#pragma GCC unroll 12
    for (int row = 0; row < high + side - 1; row++)
        for (int v = 0; v < side; v++) {
            Vector part[broad];
#pragma GCC unroll 4
            for (int j = 0; j < broad; j++) part[j] = at(image + row * image_stride + v + j * lanes);
#pragma GCC unroll 4
            for (int i = 0; i < high; i++)
                if (row - i >= 0 && row - i < side)
#pragma GCC unroll 4
                    for (int j = 0; j < broad; j++) sum[i][j] += filter[(row - i) * side + v] * part[j];
        }
    for (int i = 0; i < high; i++)
        for (int j = 0; j < broad; j++) *(Loose *)(result + i * stride + j * lanes) = sum[i][j];
}

void convolution(const Arguments &given) {  // N must be a multiple of 32
    const int n = given.at(0), full = n + side - 1;
    const Array filter(side * side, 44), image((size_t)full * full, 45), result((size_t)n * n, 46);
    timed(result, (size_t)n * n, [] {}, [&] {
#pragma omp parallel for
        for (int i = 0; i < n; i += high)
            for (int j = 0; j < n; j += broad * lanes)
                filtered(filter, image + (size_t)i * full + j, full, result + (size_t)i * n + j, n);
    });
}

// ------------------------------------------------------------------------------------------ particles

void nbody(const Arguments &given) {  // N must be a multiple of 16
    const int n = given.at(0), pair = 2;
    const Array x(n, 37), y(n, 38), z(n, 39), mass(n, 40), squares(3 * (size_t)n);
    timed(squares, 3 * (size_t)n, [] {}, [&] {
#pragma omp parallel for
        for (int i = 0; i < n; i += pair * lanes) {
            Vector sum[pair][3] = {};
            for (int j = 0; j < n; j++)
#pragma GCC unroll 2
                for (int part = 0; part < pair; part++) {
                    const int me = i + part * lanes;
                    const Vector dx = x[j] - at(x + me), dy = y[j] - at(y + me), dz = z[j] - at(z + me);
                    const Vector inverse = inverse_root(dx * dx + dy * dy + (dz * dz + 1e-4));
                    const Vector pull = mass[j] * inverse * inverse * inverse;
                    sum[part][0] += pull * dx, sum[part][1] += pull * dy, sum[part][2] += pull * dz;
                }
            for (int k = 0; k < pair * lanes; k++)
                for (int d = 0; d < 3; d++) {
                    const double one = sum[k / lanes][d][k % lanes];
                    squares[3 * (size_t)(i + k) + d] = one * one;
                }
        }
    });
}

const std::map<std::string, void (*)(const Arguments &)> examples = {
    {"matrix_product", matrix_product}, {"vector_update", vector_update}, {"dot", dot}, {"transpose", transpose},
    {"spmv_csr", spmv_csr}, {"jacobi7", jacobi7}, {"convolution", convolution}, {"nbody", nbody},
};

}  // namespace

int main(int argc, char **argv) {
    const auto found = examples.find(argc > 1 ? argv[1] : "");
    if (found == examples.end()) {
        fprintf(stderr, "which example?\n");
        return 2;
    }
    Arguments given;
    for (int i = 2; i < argc; i++) given.push_back(atoi(argv[i]));
    found->second(given);
}
