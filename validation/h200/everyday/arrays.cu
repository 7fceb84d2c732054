// Reductions, scans, sorts, dense and sparse algebra, strings and random numbers as applications have them.
#include "../kernels/common.cuh"

KERNEL sum_strided(const float* __restrict__ x, float* part, int n) {
    __shared__ float sums[32];
    float sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) sum += x[i];
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (threadIdx.x == 0) part[blockIdx.x] = sum;
    }
}

KERNEL dot_double(const double2* __restrict__ x, const double2* __restrict__ y, double* result, int pairs) {
    double sum = 0;
    for (int i = global_x(); i < pairs; i += gridDim.x * blockDim.x) {
        const double2 a = x[i], b = y[i];
        sum += a.x * b.x + a.y * b.y;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

KERNEL largest_in_rows(const float* __restrict__ x, int* index, int columns) {  // a block for each row
    __shared__ float best[256];
    __shared__ int where[256];
    const float* row = x + static_cast<long long>(blockIdx.x) * columns;
    float most = -1e30f;
    int at = 0;
    for (int c = threadIdx.x; c < columns; c += 256)
        if (row[c] > most) most = row[c], at = c;
    best[threadIdx.x] = most;
    where[threadIdx.x] = at;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half && best[threadIdx.x + half] > best[threadIdx.x]) {
            best[threadIdx.x] = best[threadIdx.x + half];
            where[threadIdx.x] = where[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) index[blockIdx.x] = where[0];
}

KERNEL scan_tiles(const int* __restrict__ in, int* out, int* totals) {  // 2048 numbers by 512 threads
    __shared__ int sums[16];
    const int4 mine = reinterpret_cast<const int4*>(in)[global_x()];
    const int a = mine.x, b = a + mine.y, c = b + mine.z, all = c + mine.w;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int before = all;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) sums[warp] = before;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < 16 ? sums[lane] : 0;
        for (int d = 1; d < 16; d *= 2) {
            const int other = __shfl_up_sync(~0u, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane < 16) sums[lane] = sum;
    }
    __syncthreads();
    const int start = before - all + (warp ? sums[warp - 1] : 0);
    reinterpret_cast<int4*>(out)[global_x()] = make_int4(start, start + a, start + b, start + c);
    if (threadIdx.x == 511) totals[blockIdx.x] = start + all;
}

KERNEL add_offsets(int* data, const int* __restrict__ totals, int n) {
    const int i = global_x();
    if (i < n) data[i] += totals[i / 2048];
}

KERNEL scan_columns(const float* __restrict__ in, float* out, int rows, int columns) {  // an integral image's second pass
    const int c = global_x();
    if (c >= columns) return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) out[r * columns + c] = sum += in[r * columns + c];
}

KERNEL count_digits(const unsigned* __restrict__ keys, int* counts, int n, int shift) {  // radix sort: first pass
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    const int first = blockIdx.x * 4096 + threadIdx.x;
    for (int k = 0; k < 16; ++k)
        if (first + k * 256 < n) atomicAdd(&bins[keys[first + k * 256] >> shift & 255], 1);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

KERNEL move_by_digit(const unsigned* __restrict__ keys, unsigned* out, const int* __restrict__ starts, int n, int shift) {
    __shared__ int next[16];
    if (threadIdx.x < 16) next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        const int i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
        if (i < n) out[atomicAdd(&next[keys[i] >> shift & 15], 1) & (n - 1)] = keys[i];
    }
}

KERNEL sort_tiles(unsigned* data) {  // bitonic, 1024 numbers in shared memory
    __shared__ unsigned tile[1024];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    tile[t] = data[first + t];
    tile[t + 512] = data[first + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            __syncthreads();
            const int low = 2 * t - (t & (step - 1)), high = low + step;
            const unsigned a = tile[low], b = tile[high];
            if ((a > b) == ((low & size) == 0)) tile[low] = b, tile[high] = a;
        }
    __syncthreads();
    data[first + t] = tile[t];
    data[first + t + 512] = tile[t + 512];
}

KERNEL merge_positions(const int* __restrict__ a, const int* __restrict__ b, int* position, int n) {  // rank of a's numbers in b
    const int i = global_x();
    if (i >= n) return;
    const int wanted = a[i];
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (b[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    position[i] = i + low;
}

KERNEL unique_flags(const int* __restrict__ sorted, int* first, int* count, int n) {
    const int i = global_x();
    const bool begins = i < n && (i == 0 || sorted[i] != sorted[i - 1]);
    const unsigned votes = __ballot_sync(~0u, begins);
    int base = 0;
    if (threadIdx.x % 32 == 0 && votes) base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(~0u, base, 0);
    if (begins) first[(base + __popc(votes & ((1u << threadIdx.x % 32) - 1))) & (n - 1)] = i;
}

KERNEL csr_groups(const int* __restrict__ begin, const int* __restrict__ column, const float* __restrict__ value,
                  const float* __restrict__ x, float* y, int rows) {  // eight lanes for each row
    const int row = global_x() / 8, lane = threadIdx.x % 8;
    if (row >= rows) return;
    float sum = 0;
    for (int e = begin[row] + lane; e < begin[row + 1]; e += 8) sum += value[e] * x[column[e]];
    for (int d = 4; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d, 8);
    if (lane == 0) y[row] = sum;
}

KERNEL csr_times_dense(const int* __restrict__ begin, const int* __restrict__ column, const float* __restrict__ value,
                       const float* __restrict__ b, float* c, int rows) {  // 64 columns, half a warp's float4 for each row
    const int row = global_x() / 16, lane = threadIdx.x % 16;
    if (row >= rows) return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int e = begin[row]; e < begin[row + 1]; ++e) {
        const float v = value[e];
        const float4 r = reinterpret_cast<const float4*>(b)[column[e] * 16 + lane];
        sum.x += v * r.x, sum.y += v * r.y, sum.z += v * r.z, sum.w += v * r.w;
    }
    reinterpret_cast<float4*>(c)[row * 16 + lane] = sum;
}

KERNEL matrix_vector(const float* __restrict__ a, const float* __restrict__ x, float* y, int rows, int columns) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float4* line = reinterpret_cast<const float4*>(a + static_cast<long long>(row) * columns);
    float sum = 0;
    for (int c = lane; c < columns / 4; c += 32) {
        const float4 m = line[c], v = reinterpret_cast<const float4*>(x)[c];
        sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

KERNEL product_16(const double* __restrict__ a, const double* __restrict__ b, double* c, int n) {
    __shared__ double left[16][16], right[16][17];
    const int row = global_y(), column = global_x();
    double sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

KERNEL invert_small(const float* __restrict__ a, float* out, int count) {  // a thread inverts a matrix of 4 rows
    const int i = global_x();
    if (i >= count) return;
    float m[4][8];
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) m[r][c] = a[(r * 4 + c) * count + i] + (r == c ? 4.0f : 0.0f), m[r][c + 4] = r == c;
    for (int p = 0; p < 4; ++p) {
        const float scale = 1.0f / m[p][p];
        for (int c = 0; c < 8; ++c) m[p][c] *= scale;
        for (int r = 0; r < 4; ++r)
            if (r != p) {
                const float factor = m[r][p];
                for (int c = 0; c < 8; ++c) m[r][c] -= factor * m[p][c];
            }
    }
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) out[(r * 4 + c) * count + i] = m[r][c + 4];
}

KERNEL fourier_1024(const float2* __restrict__ in, float2* out) {  // radix 4 in shared memory, 256 threads
    __shared__ float2 s[1024];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; ++k) s[t + 256 * k] = in[blockIdx.x * 1024 + t + 256 * k];
    for (int span = 256; span; span /= 4) {
        __syncthreads();
        const int j = t % span, base = t / span * span * 4 + j;
        const float2 a = s[base], b = s[base + span], c = s[base + 2 * span], d = s[base + 3 * span];
        const float2 p = make_float2(a.x + c.x, a.y + c.y), q = make_float2(a.x - c.x, a.y - c.y);
        const float2 r = make_float2(b.x + d.x, b.y + d.y), u = make_float2(b.y - d.y, d.x - b.x);
        const float2 v[4] = {make_float2(p.x + r.x, p.y + r.y), make_float2(q.x + u.x, q.y + u.y), make_float2(p.x - r.x, p.y - r.y),
                             make_float2(q.x - u.x, q.y - u.y)};
        for (int k = 0; k < 4; ++k) {
            float sine, cosine;
            __sincosf(-1.5707963f * j * k / span, &sine, &cosine);
            s[base + k * span] = make_float2(v[k].x * cosine - v[k].y * sine, v[k].x * sine + v[k].y * cosine);
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 1024 + t + 256 * k] = s[t + 256 * k];
}

KERNEL estimate_pi(int* inside, int rounds) {
    unsigned long long state = global_x() * 0x9e3779b97f4a7c15ull + 1;
    int hits = 0;
    for (int r = 0; r < rounds; ++r) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const float x = (state & 0xffffff) * 0x1p-24f, y = (state >> 40) * 0x1p-24f;
        hits += x * x + y * y < 1.0f;
    }
    hits = __reduce_add_sync(~0u, hits);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, hits);
}

KERNEL option_prices(const float* __restrict__ spot, const float* __restrict__ strike, const float* __restrict__ years, float* call,
                     float* put, float rate, float spread, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float s = spot[i], k = strike[i], t = years[i], root = sqrtf(t);
    const float a = (logf(s / k) + (rate + 0.5f * spread * spread) * t) / (spread * root), b = a - spread * root;
    const float discounted = k * expf(-rate * t), below_a = normcdff(a), below_b = normcdff(b);
    call[i] = s * below_a - discounted * below_b;
    put[i] = discounted * (1 - below_b) - s * (1 - below_a);
}

KERNEL checksums(const unsigned char* __restrict__ text, const unsigned* __restrict__ table, unsigned* out, int length, int count) {
    const int i = global_x();
    if (i >= count) return;
    unsigned crc = ~0u;
    for (int k = 0; k < length; ++k) crc = table[(crc ^ text[i * length + k]) & 255] ^ crc >> 8;
    out[i] = ~crc;
}

KERNEL gamma_powers(const float* __restrict__ in, float* out, float exponent, int n) {
    const int i = global_x();
    if (i < n) out[i] = powf(in[i], exponent);
}

KERNEL phases(const double* __restrict__ in, double* out, double scale, int n) {  // waves of long paths
    const int i = global_x();
    if (i < n) out[i] = sin(in[i] * scale) * cos(in[i]) + fmod(in[i] * scale, 3.0);
}
