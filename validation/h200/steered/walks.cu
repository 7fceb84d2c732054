// Graphs, sparse products, resampling, rays and searches that what the arrays hold decides.
#include "../kernels/common.cuh"

KERNEL bfs_warp(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ level, unsigned char* next,
                int current, int n) {  // a warp for each vertex
    const int v = global_x() / 32, lane = threadIdx.x % 32;
    if (v >= n || level[v] != current) return;
    for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) {
        const int u = columns[e];
        if (level[u] < 0) next[u] = 1;
    }
}

KERNEL relax_edges(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ level, int* distance, int n) {
    const int v = global_x();
    if (v >= n) return;
    const int mine = level[v];
    if (mine < 0) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) atomicMin(&distance[columns[e]], mine + 1 + e % 7);
}

KERNEL pagerank_pull(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ rank, float* next, int n) {
    const int v = global_x();
    if (v >= n) return;
    float sum = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e) sum += rank[columns[e]];
    next[v] = 0.15f + 0.85f * sum;
}

KERNEL hook_components(const int* __restrict__ rows, const int* __restrict__ columns, const int* __restrict__ parent, int* next, int n) {
    const int v = global_x();
    if (v >= n) return;
    int least = parent[v];
    for (int e = rows[v]; e < rows[v + 1]; ++e) least = min(least, parent[columns[e]]);
    if (least < parent[v]) atomicMin(&next[parent[v]], least);
}

KERNEL spmv_coordinates(const int* __restrict__ row, const int* __restrict__ column, const float* __restrict__ value,
                        const float* __restrict__ x, float* y, int count) {
    const int e = global_x();
    if (e < count) atomicAdd(&y[row[e]], value[e] * x[column[e]]);
}

KERNEL spmv_row_block(const int* __restrict__ rows, const int* __restrict__ columns, const float* __restrict__ values,
                      const float* __restrict__ x, float* y) {  // a block for each row
    __shared__ float part[4];
    const int row = blockIdx.x, t = threadIdx.x;
    float sum = 0;
    for (int e = rows[row] + t; e < rows[row + 1]; e += 128) sum += values[e] * x[columns[e]];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (t % 32 == 0) part[t / 32] = sum;
    __syncthreads();
    if (t == 0) y[row] = part[0] + part[1] + part[2] + part[3];
}

KERNEL count_offspring(const float* __restrict__ cdf, int* count, int n, float shift) {  // systematic resampling
    const int i = global_x();
    if (i >= n) return;
    const int low = i ? static_cast<int>(ceilf(cdf[i - 1] * n - shift)) : 0;
    const int high = static_cast<int>(ceilf(cdf[i] * n - shift));
    for (int k = low; k < high; ++k) count[min(k, n - 1)] = i;
}

KERNEL resample_warp(const float* __restrict__ cdf, const float* __restrict__ u, int* index, int n) {  // a warp for each draw
    const int i = global_x() / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    const float wanted = u[i];
    for (int k = 0; k < n; k += 32) {
        const bool over = k + lane < n && cdf[k + lane] >= wanted;
        const unsigned votes = __ballot_sync(~0u, over);
        if (votes) {
            if (lane == 0) index[i] = k + __ffs(votes) - 1;
            return;
        }
    }
}

KERNEL march_volume(const unsigned char* __restrict__ density, float* image, int n, int width, float step, float opaque) {
    const int px = global_x(), py = global_y();
    if (px >= width || py >= width) return;
    const float dx = (px - width * 0.5f) / width, dy = (py - width * 0.5f) / width;
    float light = 0, through = 1;
    for (float z = 0; z < n - 1; z += step) {
        const float x = n * 0.5f + dx * (n * 0.5f + z), y = n * 0.5f + dy * (n * 0.5f + z);
        if (x < 0 || y < 0 || x >= n || y >= n) break;
        const float d = density[(static_cast<int>(z) * n + static_cast<int>(y)) * n + static_cast<int>(x)] * (1.0f / 255.0f);
        light += through * d;
        through *= 1.0f - d * opaque;
        if (through < 0.02f) break;
    }
    image[py * width + px] = light;
}

KERNEL cast_grid(const unsigned char* __restrict__ wall, float* range, int n, int rays, float x0, float y0) {  // rays to a first wall
    const int i = global_x();
    if (i >= rays) return;
    float sine, cosine;
    sincosf(6.2831853f * i / rays, &sine, &cosine);
    float t = 0;
    for (int k = 0; k < 4 * n; ++k) {
        const int x = static_cast<int>(x0 + t * cosine), y = static_cast<int>(y0 + t * sine);
        if (x < 0 || y < 0 || x >= n || y >= n || wall[y * n + x]) break;
        t += 0.5f;
    }
    range[i] = t;
}

KERNEL tree_lookup(const int* __restrict__ split, const int* __restrict__ keys, int* leaf, int n, int depth) {
    const int i = global_x();
    if (i >= n) return;
    const int key = keys[i];
    int at = 0;
    for (int d = 0; d < depth; ++d) at = 2 * at + 1 + (key >= split[at]);
    leaf[i] = at;
}

KERNEL pairs_in_lists(const float4* __restrict__ body, const int* __restrict__ begin, const int* __restrict__ list, float4* force, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float4 me = body[i];
    float4 sum = {0, 0, 0, 0};
    for (int e = begin[i]; e < begin[i + 1]; ++e) {
        const float4 other = body[list[e] & (n - 1)];
        const float x = me.x - other.x, y = me.y - other.y, z = me.z - other.z, r2 = x * x + y * y + z * z + 0.01f;
        const float w = other.w * rsqrtf(r2) / r2;
        sum.x += w * x;
        sum.y += w * y;
        sum.z += w * z;
    }
    force[i] = sum;
}

KERNEL weighted_bins(const int* __restrict__ bin, const float* __restrict__ weight, float* sum, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&sum[bin[i]], weight[i]);
}

KERNEL private_bins(const int* __restrict__ bin, int* count, int n) {  // each warp its own table in shared memory
    __shared__ int mine[4][1024];
    for (int b = threadIdx.x; b < 4096; b += blockDim.x) mine[b / 1024][b % 1024] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[threadIdx.x / 32 % 4][bin[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 1024; b += blockDim.x) atomicAdd(&count[b], mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b]);
}

KERNEL append_pairs(const int* __restrict__ in, int* out, int* length, int n, int mask) {  // one update of the length for each warp
    const int i = global_x(), lane = threadIdx.x % 32;
    const bool keep = i < n && in[i] > 3;
    const unsigned votes = __ballot_sync(~0u, keep);
    if (!votes) return;
    int first = 0;
    if (lane == 0) first = atomicAdd(length, __popc(votes));
    first = __shfl_sync(~0u, first, 0);
    if (keep) out[(first + __popc(votes & ((1u << lane) - 1))) & mask] = in[i];
}

KERNEL greatest_divisor(const unsigned* __restrict__ a, unsigned* out, int n, unsigned with) {
    const int i = global_x();
    if (i >= n) return;
    unsigned x = a[i], y = with;
    while (y) {
        const unsigned r = x % y;
        x = y;
        y = r;
    }
    out[i] = x;
}

KERNEL bessel_series(const double* __restrict__ x, double* y, int n, double small) {  // terms until they are small
    const int i = global_x();
    if (i >= n) return;
    const double q = x[i] * x[i] * 0.25;
    double term = 1, sum = 1;
    for (int k = 1; k < 200; ++k) {
        term *= -q / (static_cast<double>(k) * k);
        sum += term;
        if (fabs(term) < small) break;
    }
    y[i] = sum;
}

KERNEL wide_angles(const float* __restrict__ x, float* y, int n, float scale) {  // arguments that need the slow reduction, or not
    const int i = global_x();
    if (i < n) y[i] = sinf(x[i] * scale) * cosf(x[i] * scale);
}

KERNEL transpose_halves(const unsigned short* __restrict__ in, unsigned short* out, int n) {
    const int x = global_x(), y = global_y();
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

KERNEL interleave(const float* __restrict__ in, float* out, int n, int step) {  // a write of one word of every `step`
    const int i = global_x();
    if (i < n) out[static_cast<long>(i) * step] = in[i];
}
