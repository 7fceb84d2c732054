// A tensor contraction of coupled-cluster theory in four versions, one improvement after another (Section 6.1):
//     out[p6][p5][p4][h3][h2][h1] += sum over h7 of t2[h1][p5][p4][h7] * v2[h7][p6][h2][h3]
// Blocks of 16 by 16 threads make 64 by 64 results, 4 by 4 a thread; extents d each.
#include "common.cuh"

constexpr int edge = 16, part = 4, depth = 16;

struct Place {  // of a result: one side has (h3, h2, p6), the other (h1, p4, p5)
    int v2, t2, out_v, out_t;
};

__device__ inline Place place(int v, int t, int d) {
    const int h3 = v % d, h2 = v / d % d, p6 = v / (d * d), h1 = t % d, p4 = t / d % d, p5 = t / (d * d);
    return {h3 + d * (h2 + d * p6), d * (p4 + d * (p5 + d * h1)), d * (h2 + d * h3) + d * d * d * d * d * p6,
            h1 + d * d * d * (p4 + d * p5)};
}

// `swapped`: which side follows threadIdx.x. `split`: results are all read before they are written.
template <bool swapped, bool split>
__device__ inline void contract(const double* t2, const double* v2, double* out, int d) {
    __shared__ double left[depth][part * edge], right[depth][part * edge];
    const int tx = threadIdx.x, ty = threadIdx.y, v = swapped ? ty : tx, t = swapped ? tx : ty;
    const int v0 = (swapped ? blockIdx.y : blockIdx.x) * part * edge, t0 = (swapped ? blockIdx.x : blockIdx.y) * part * edge;
    const int slab = d * d * d;
    Place at[part];
#pragma unroll
    for (int p = 0; p < part; ++p) at[p] = place(v0 + v + p * edge, t0 + t + p * edge, d);
    double sum[part][part] = {};
    for (int h7 = 0; h7 < d; h7 += depth) {
#pragma unroll
        for (int p = 0; p < part; ++p) {
            if (h7 + t < d) left[t][v + p * edge] = v2[at[p].v2 + (h7 + t) * slab];
            if (h7 + v < d) right[v][t + p * edge] = t2[at[p].t2 + h7 + v];
        }
        __syncthreads();
        for (int k = 0; k < min(depth, d - h7); ++k)
#pragma unroll
            for (int p = 0; p < part; ++p)
#pragma unroll
                for (int q = 0; q < part; ++q) sum[p][q] += left[k][v + p * edge] * right[k][t + q * edge];
        __syncthreads();
    }
    if (split) {
        double old[part][part];
#pragma unroll
        for (int e = 0; e < part * part; ++e) old[e / part][e % part] = out[at[e / part].out_v + at[e % part].out_t];
#pragma unroll
        for (int e = 0; e < part * part; ++e)
            out[at[e / part].out_v + at[e % part].out_t] = old[e / part][e % part] + sum[e / part][e % part];
    } else {
#pragma unroll
        for (int e = 0; e < part * part; ++e)  // each after the one before: the compiler cannot tell them apart
            out[at[e / part].out_v + at[e % part].out_t] += sum[e / part][e % part];
    }
}

KERNEL contract_plain(const double* t2, const double* v2, double* out, int d) { contract<false, false>(t2, v2, out, d); }

// Results side by side in memory belong to lanes side by side.
KERNEL contract_swapped(const double* t2, const double* v2, double* out, int d) { contract<true, false>(t2, v2, out, d); }

// The extents are known to the compiler: no division is left.
KERNEL contract_known(const double* t2, const double* v2, double* out) { contract<true, false>(t2, v2, out, 16); }

// All results are read, then all are written.
KERNEL contract_split(const double* t2, const double* v2, double* out) { contract<true, true>(t2, v2, out, 16); }
