// Simple CUDA versions of the traced examples: examples NAME ARGUMENTS…  prints what they print.
// One thread for each independent operation of a parallel loop, data on the device: copies are not timed (AM-15).
// nvcc -O3 -std=c++17 -arch=sm_90 --extended-lambda -I../../src/foretell/examples/kernels -o examples examples.cu
#include "device.cuh"

namespace {

// ------------------------------------------------------------------------------------------ grids

void jacobi7(const Arguments &given) {
    const int n = argument(given, 0, 64), steps = argument(given, 1, 4), m = n - 2;
    const size_t cells = (size_t)n * n * n;
    Array<double> a(filled(cells, 1)), b(filled(cells, 1));
    const double seconds = timed([&] { a.up(), b.up(); }, [&] {
        double *from = a.data, *to = b.data;
        for (int t = 0; t < steps; t++, std::swap(from, to))
            parallel((long)m * m * m, [=] __device__(unsigned c) {
                const size_t p = ((c / m / m + 1) * n + c / m % m + 1) * (size_t)n + c % m + 1, plane = (size_t)n * n;
                to[p] = 0.4 * from[p] + 0.1 * (from[p - plane] + from[p + plane] + from[p - n] + from[p + n] + from[p - 1] + from[p + 1]);
            });
    });
    print(seconds, a, cells);
}

void heat2d(const Arguments &given) {
    const int n = argument(given, 0, 512), steps = argument(given, 1, 8), m = n - 2;
    Array<double> a(filled((size_t)n * n, 2)), b(filled((size_t)n * n, 2));
    const double seconds = timed([&] { a.up(), b.up(); }, [&] {
        double *from = a.data, *to = b.data;
        for (int t = 0; t < steps; t++, std::swap(from, to))
            parallel((long)m * m, [=] __device__(unsigned c) {
                const size_t p = (c / m + 1) * (size_t)n + c % m + 1;
                to[p] = from[p] + 0.1 * (from[p - n] + from[p + n] + from[p - 1] + from[p + 1] - 4.0 * from[p]);
            });
    });
    print(seconds, a, (size_t)n * n);
}

void hotspot(const Arguments &given) {
    const int n = argument(given, 0, 512), steps = argument(given, 1, 4);
    const size_t cells = (size_t)n * n;
    Array<double> a(filled(cells, 3)), b(filled(cells, 3)), power(filled(cells, 4));
    const double *heat = power.data;
    const double seconds = timed([&] { a.up(), b.up(), power.up(); }, [&] {
        double *t = a.data, *out = b.data;
        for (int s = 0; s < steps; s++, std::swap(t, out))
            parallel((long)cells, [=] __device__(unsigned p) {
                const int i = (int)(p / n), j = (int)(p % n);
                const double here = t[p], up = i > 0 ? t[p - n] : here, down = i < n - 1 ? t[p + n] : here;
                const double left = j > 0 ? t[p - 1] : here, right = j < n - 1 ? t[p + 1] : here;
                out[p] = here + 0.5 * (heat[p] + (up + down - 2.0 * here) / 1.2 + (left + right - 2.0 * here) / 1.0 + (0.3 - here) / 80.0) * 0.01;
            });
    });
    print(seconds, a, cells);
}

void gauss_seidel(const Arguments &given) {
    const int n = argument(given, 0, 256), steps = argument(given, 1, 4);
    Array<double> a(filled((size_t)n * n, 22));
    double *cell = a.data;
    const double seconds = timed([&] { a.up(); }, [&] {
        for (int t = 0; t < steps; t++)
            for (int d = 2; d <= 2 * (n - 2); d++) {
                const int first = std::max(d - (n - 2), 1), last = std::min(d - 1, n - 2);
                parallel(last - first + 1, [=] __device__(unsigned k) {
                    const size_t p = (size_t)(first + k) * n + (d - first - k);
                    cell[p] = 0.25 * (cell[p - n] + cell[p - 1] + cell[p + 1] + cell[p + n]);
                });
            }
    });
    print(seconds, a, (size_t)n * n);
}

__device__ void add_up(double value, double *total) {  // one atomic for each warp
    for (int distance = 16; distance; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}

__global__ void moments(int count, const double *image, double *sums) {
    double sum = 0, squares = 0;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) {
        sum += image[p];
        squares += image[p] * image[p];
    }
    add_up(sum, sums);
    add_up(squares, sums + 1);
}

void srad(const Arguments &given) {
    const int n = argument(given, 0, 256), steps = argument(given, 1, 2), cells = n * n;
    std::vector<double> start = filled(cells, 5);
    for (double &one : start) one += 1.0;
    Array<double> image(start), work(filled(5 * (size_t)cells, 6)), sums(std::vector<double>(2));
    double *im = image.data, *c = work.data, *dn = c + cells, *ds = dn + cells, *dw = ds + cells, *de = dw + cells, *total = sums.data;
    const double seconds = timed([&] { image.up(), work.up(); }, [&] {
        for (int s = 0; s < steps; s++) {
            check(cudaMemsetAsync(total, 0, 2 * sizeof(double)));
            moments<<<std::min((cells + block - 1) / block, 1056), block>>>(cells, im, total);
            parallel(cells, [=] __device__(unsigned at) {
                const int p = (int)at, i = p / n, j = p % n;
                const double mean = total[0] / cells, q0 = (total[1] / cells - mean * mean) / (mean * mean), here = im[p];
                dn[p] = im[i > 0 ? p - n : p] - here;
                ds[p] = im[i < n - 1 ? p + n : p] - here;
                dw[p] = im[j > 0 ? p - 1 : p] - here;
                de[p] = im[j < n - 1 ? p + 1 : p] - here;
                const double g2 = (dn[p] * dn[p] + ds[p] * ds[p] + dw[p] * dw[p] + de[p] * de[p]) / (here * here);
                const double l = (dn[p] + ds[p] + dw[p] + de[p]) / here, d = 1.0 + 0.25 * l;
                const double q = (0.5 * g2 - 0.0625 * l * l) / (d * d), v = 1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)));
                c[p] = v < 0 ? 0 : v > 1 ? 1 : v;
            });
            parallel(cells, [=] __device__(unsigned at) {
                const int p = (int)at, i = p / n, j = p % n;
                const double south = c[i < n - 1 ? p + n : p], east = c[j < n - 1 ? p + 1 : p];
                im[p] += 0.125 * (c[p] * dn[p] + south * ds[p] + c[p] * dw[p] + east * de[p]);
            });
        }
    });
    print(seconds, image, cells);
}

__constant__ int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

void lattice_boltzmann(const Arguments &given) {
    const int n = argument(given, 0, 64), steps = argument(given, 1, 3);
    const size_t values = (size_t)n * n * 9;
    std::vector<double> start = filled(values, 27);
    for (double &one : start) one = 0.1 + 0.01 * one;
    Array<double> a(start), b(start);
    double *from = a.data, *to = b.data;
    const double seconds = timed([&] { a.up(), b.up(), from = a.data, to = b.data; }, [&] {
        for (int t = 0; t < steps; t++, std::swap(from, to)) {
            const double *old = from;
            double *young = to;
            parallel((long)n * n, [=] __device__(unsigned p) {
                const int x = (int)(p % n), y = (int)(p / n);
                double f[9], rho = 0, ux = 0, uy = 0;
                for (int d = 0; d < 9; d++) {
                    const int sx = (x - cx[d] + n) % n, sy = (y - cy[d] + n) % n;
                    f[d] = old[((size_t)sy * n + sx) * 9 + d];
                    rho += f[d];
                    ux += cx[d] * f[d];
                    uy += cy[d] * f[d];
                }
                ux /= rho;
                uy /= rho;
                for (int d = 0; d < 9; d++) {
                    const double cu = 3.0 * (cx[d] * ux + cy[d] * uy);
                    const double still = weight[d] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                    young[(size_t)p * 9 + d] = f[d] + 0.6 * (still - f[d]);
                }
            });
        }
    });
    print(seconds, steps % 2 ? b : a, values);
}

// ------------------------------------------------------------------------------------------ matrices

void lu(const Arguments &given) {
    const int n = argument(given, 0, 128);
    std::vector<double> start = filled((size_t)n * n, 15);
    for (int i = 0; i < n; i++) start[(size_t)i * n + i] += n;
    Array<double> matrix(start);
    double *a = matrix.data;
    const double seconds = timed([&] { matrix.up(); }, [&] {
        for (int k = 0; k < n - 1; k++) {
            const int m = n - 1 - k;
            parallel(m, [=] __device__(unsigned r) { a[(k + 1 + r) * n + k] /= a[(size_t)k * n + k]; });
            parallel((long)m * m, [=] __device__(unsigned c) {
                const size_t i = k + 1 + c / m, j = k + 1 + c % m;
                a[i * n + j] -= a[i * n + k] * a[(size_t)k * n + j];
            });
        }
    });
    print(seconds, matrix, (size_t)n * n);
}

void floyd_warshall(const Arguments &given) {
    const int n = argument(given, 0, 96);
    std::vector<double> start = filled((size_t)n * n, 23);
    for (int i = 0; i < n; i++) start[(size_t)i * n + i] = 0;
    Array<double> distance(start);
    double *d = distance.data;
    const double seconds = timed([&] { distance.up(); }, [&] {
        for (int k = 0; k < n; k++)
            parallel((long)n * n, [=] __device__(unsigned c) {
                const double through = d[c / n * n + k] + d[(size_t)k * n + c % n];
                if (through < d[c]) d[c] = through;
            });
    });
    print(seconds, distance, (size_t)n * n);
}

void spmv_csr(const Arguments &given) {
    const int rows = argument(given, 0, 20000), per_row = argument(given, 1, 10);
    std::vector<int> starts(rows + 1), columns((size_t)rows * per_row);
    unsigned state = 10;
    for (int i = 0; i <= rows; i++) starts[i] = i * per_row;
    for (int &one : columns) one = (int)(number(&state) * rows);
    Array<int> start(starts), column(columns);
    Array<double> value(filled(columns.size(), 7)), x(filled(rows, 8)), y(filled(rows, 9));
    const int *first = start.data, *where = column.data;
    const double *v = value.data, *in = x.data;
    double *out = y.data;
    const double seconds = timed([&] { start.up(), column.up(), value.up(), x.up(), y.up(); }, [&] {
        parallel(rows, [=] __device__(unsigned i) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; k++) sum += v[k] * in[where[k]];
            out[i] = sum;
        });
    });
    print(seconds, y, rows);
}

void spmv_jds(const Arguments &given) {
    const int rows = argument(given, 0, 20000), longest = argument(given, 1, 10);
    std::vector<int> starts(longest + 1), orders(rows);
    for (int d = 0; d < longest; d++) starts[d + 1] = starts[d] + rows - (int)((long)rows * d / (2 * longest));
    for (int i = 0; i < rows; i++) orders[i] = rows % 7919 ? (int)(7919L * i % rows) : i;
    std::vector<int> columns(starts[longest]);
    unsigned state = 14;
    for (int &one : columns) one = (int)(number(&state) * rows);
    Array<int> column(columns), order(orders);
    Array<double> value(filled(columns.size(), 11)), x(filled(rows, 12)), y(filled(rows, 13));
    const int *where = column.data, *to = order.data;
    const double *v = value.data, *in = x.data;
    double *out = y.data;
    const double seconds = timed([&] { column.up(), order.up(), value.up(), x.up(), y.up(); }, [&] {
        for (int d = 0; d < longest; d++) {
            const int first = starts[d];
            parallel(starts[d + 1] - first, [=] __device__(unsigned k) { out[to[k]] += v[first + k] * in[where[first + k]]; });
        }
    });
    print(seconds, y, rows);
}

// ------------------------------------------------------------------------------------------ particles

void cutcp(const Arguments &given) {
    const int n = argument(given, 0, 16), atoms = argument(given, 1, 100);
    const size_t cells = (size_t)n * n * n;
    Array<double> atom(filled(4 * (size_t)atoms, 16)), grid(filled(cells, 17));
    const double *at = atom.data;
    double *out = grid.data;
    const double seconds = timed([&] { atom.up(), grid.up(); }, [&] {
        parallel((long)cells, [=] __device__(unsigned p) {
            const double x = (double)(p % n) / n, y = (double)(p / n % n) / n, z = (double)(p / n / n) / n;
            double sum = 0;
            for (int a = 0; a < atoms; a++) {
                const double dx = at[4 * a] - x, dy = at[4 * a + 1] - y, dz = at[4 * a + 2] - z, r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < 0.04) {
                    const double s = 1.0 - r2 / 0.04;
                    sum += at[4 * a + 3] * s * s / sqrt(r2 + 1e-9);
                }
            }
            out[p] = sum;
        });
    });
    print(seconds, grid, cells);
}

struct Particle {
    double x, y, z, charge;
};

void boxes(const Arguments &given) {
    const int side = argument(given, 0, 3), each_box = argument(given, 1, 20), count = side * side * side * each_box;
    Array<double> all(filled(4 * (size_t)count, 28)), force(std::vector<double>(4 * (size_t)count));
    const Particle *particle = (const Particle *)all.data;
    Particle *sums = (Particle *)force.data;
    const double seconds = timed([&] { all.up(), force.up(); }, [&] {
        parallel(count, [=] __device__(unsigned me) {
            const int box = (int)(me / each_box), bz = box / (side * side), by = box / side % side, bx = box % side;
            const Particle mine = particle[me];
            Particle sum = {0, 0, 0, 0};
            for (int near = 0; near < 27; near++) {
                const int x = bx + near % 3 - 1, y = by + near / 3 % 3 - 1, z = bz + near / 9 - 1;
                if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) continue;
                const Particle *other = particle + (size_t)((z * side + y) * side + x) * each_box;
                for (int j = 0; j < each_box; j++) {
                    const double dx = mine.x - other[j].x, dy = mine.y - other[j].y, dz = mine.z - other[j].z;
                    const double v = exp(-0.5 * (dx * dx + dy * dy + dz * dz)) * other[j].charge;
                    sum.charge += v, sum.x += v * dx, sum.y += v * dy, sum.z += v * dz;
                }
            }
            sums[me] = sum;
        });
    });
    print(seconds, force, 4 * (size_t)count);
}

// ------------------------------------------------------------------------------------------ sequences

void fft(const Arguments &given) {
    const int n = 1 << argument(given, 0, 12);
    std::vector<double> cosines(n), sines(n);
    for (int i = 0; i < n; i++) cosines[i] = cos(6.283185307179586 * i / n), sines[i] = -sin(6.283185307179586 * i / n);
    Array<double> real(filled(n, 18)), imaginary(filled(n, 19)), cosine(cosines), sine(sines);
    double *re = real.data, *im = imaginary.data;
    const double *co = cosine.data, *si = sine.data;
    const double seconds = timed([&] { real.up(), imaginary.up(), cosine.up(), sine.up(); }, [&] {
        for (int half = 1; half < n; half *= 2) {
            const int step = n / (2 * half);
            parallel(n / 2, [=] __device__(unsigned at) {
                const int k = (int)at, i = 2 * half * (k / half) + k % half, j = i + half, w = step * (k % half);
                const double r = re[j] * co[w] - im[j] * si[w], m = re[j] * si[w] + im[j] * co[w];
                re[j] = re[i] - r, im[j] = im[i] - m, re[i] += r, im[i] += m;
            });
        }
    });
    print(seconds, real, n);
}

void merge_sort(const Arguments &given) {
    const int n = argument(given, 0, 10000);
    Array<double> first(filled(n, 25)), second(filled(n, 26));
    double *a = first.data, *b = second.data;
    const double seconds = timed([&] { first.up(), second.up(); }, [&] {
        for (int run = 1; run < n; run *= 2) {
            parallel((n + 2l * run - 1) / (2l * run), [=] __device__(unsigned pair) {
                const int low = (int)(pair * 2 * run), middle = min(low + run, n), last = min(low + 2 * run, n);
                for (int i = low, j = middle, k = low; k < last; k++)
                    b[k] = j >= last || (i < middle && a[i] <= a[j]) ? a[i++] : a[j++];
            });
            parallel(n, [=] __device__(unsigned k) { a[k] = b[k]; });
        }
    });
    print(seconds, first, n);
}

// Sums of pieces before each piece: one block, every thread a stretch of them, stretches joined in log2(1024) rounds.
__global__ void __launch_bounds__(1024) before_pieces(unsigned pieces, const double *sum, double *offset) {
    __shared__ double totals[1024];
    const unsigned me = threadIdx.x, each_one = (pieces + 1023) / 1024, first = min(me * each_one, pieces), last = min(first + each_one, pieces);
    double total = 0;
    for (unsigned k = first; k < last; k++) total += sum[k];
    totals[me] = total;
    for (unsigned distance = 1; distance < 1024; distance *= 2) {
        __syncthreads();
        const double more = me >= distance ? totals[me - distance] : 0;
        __syncthreads();
        totals[me] += more;
    }
    total = totals[me] - total;
    for (unsigned k = first; k < last; k++) offset[k] = total, total += sum[k];
}

void prefix(const Arguments &given) {  // a warp sums a piece of 32 x 32, adds what lies before, and adds that
    const int n = argument(given, 0, 100000), piece = 1024;
    const unsigned pieces = (n + piece - 1) / piece;
    Array<double> in(filled(n, 20)), out(filled(n, 21)), sums(std::vector<double>(size_t{pieces})), before(std::vector<double>(size_t{pieces}));
    const double *x = in.data;
    double *y = out.data, *sum = sums.data, *offset = before.data;
    const double seconds = timed([&] { in.up(), out.up(); }, [&] {
        parallel(32l * pieces, [=] __device__(unsigned t) {
            const int first = (int)(t / 32) * piece, lane = t % 32;
            double total = 0;
            for (int i = first + lane; i < first + piece; i += 32) {
                double value = i < n ? x[i] : 0;
                for (int distance = 1; distance < 32; distance *= 2) {
                    const double other = __shfl_up_sync(~0u, value, distance);
                    if (lane >= distance) value += other;
                }
                if (i < n) y[i] = total + value;
                total += __shfl_sync(~0u, value, 31);
            }
            if (lane == 0) sum[t / 32] = total;
        });
        before_pieces<<<1, 1024>>>(pieces, sum, offset);
        parallel(n, [=] __device__(unsigned i) { y[i] += offset[i / piece]; });
    });
    print(seconds, out, n);
}

void smith_waterman(const Arguments &given) {
    const int n = argument(given, 0, 256);
    std::vector<char> one(n), two(n);
    unsigned state = 24;
    for (char &c : one) c = "ACGT"[(int)(number(&state) * 4)];
    for (char &c : two) c = "ACGT"[(int)(number(&state) * 4)];
    Array<char> left(one), right(two);
    Array<double> score(std::vector<double>((size_t)(n + 1) * (n + 1)));
    const char *a = left.data, *b = right.data;
    double *h = score.data;
    const double seconds = timed([&] { left.up(), right.up(), score.up(); }, [&] {
        for (int d = 2; d <= 2 * n; d++) {
            const int first = std::max(d - n, 1), last = std::min(d - 1, n);
            parallel(last - first + 1, [=] __device__(unsigned k) {
                const int i = first + (int)k, j = d - i;
                const size_t p = (size_t)i * (n + 1) + j;
                double best = h[p - n - 2] + (a[i - 1] == b[j - 1] ? 2.0 : -1.0);
                best = fmax(best, fmax(h[p - n - 1], h[p - 1]) - 1.0);
                h[p] = best > 0 ? best : 0;
            });
        }
    });
    print(seconds, score, (size_t)(n + 1) * (n + 1));
}

}  // namespace

int main(int argc, char **argv) {
    return run(argc, argv, {
        {"jacobi7", jacobi7}, {"heat2d", heat2d}, {"hotspot", hotspot}, {"gauss_seidel", gauss_seidel}, {"srad", srad},
        {"lattice_boltzmann", lattice_boltzmann}, {"lu", lu}, {"floyd_warshall", floyd_warshall}, {"spmv_csr", spmv_csr},
        {"spmv_jds", spmv_jds}, {"cutcp", cutcp}, {"boxes", boxes}, {"fft", fft}, {"merge_sort", merge_sort},
        {"prefix", prefix}, {"smith_waterman", smith_waterman}
    });
}
