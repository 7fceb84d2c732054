// Transforms, particles, random numbers, tables, strings.
#include "../kernels/common.cuh"

__device__ inline float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ inline float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 turned(float2 a) { return make_float2(a.y, -a.x); }  // times -i

__device__ inline void four(float2& a, float2& b, float2& c, float2& d) {
    const float2 s = plus(a, c), t = minus(a, c), u = plus(b, d), v = turned(minus(b, d));
    a = plus(s, u), b = plus(t, v), c = minus(s, u), d = minus(t, v);
}

KERNEL fft4_shared(const float2* in, float2* out) {  // 1024 points for each block of 256, five passes
    __shared__ float2 line[1024];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    float2 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = in[first + t + k * 256];
    for (int span = 1; span < 1024; span *= 4) {
        const int place = t % span;
        float sine, cosine;
        __sincosf(-6.2831853f * place / (4 * span), &sine, &cosine);
        const float2 one = make_float2(cosine, sine), two = times(one, one);
        v[1] = times(v[1], one), v[2] = times(v[2], two), v[3] = times(v[3], times(two, one));
        four(v[0], v[1], v[2], v[3]);
        const int to = (t / span) * span * 4 + place;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; ++k) line[to + k * span] = v[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = line[t + k * 256];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) out[first + t + k * 256] = v[k];
}

KERNEL fft8_batch(float2* data, int batches) {  // eight points a thread, in registers
    const int one = global_x();
    float2 v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = data[k * batches + one];
    four(v[0], v[2], v[4], v[6]);
    four(v[1], v[3], v[5], v[7]);
    const float root = 0.70710678f;
    v[3] = times(v[3], make_float2(root, -root)), v[5] = turned(v[5]), v[7] = times(v[7], make_float2(-root, -root));
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        data[k * batches + one] = plus(v[2 * k], v[2 * k + 1]);
        data[(k + 4) * batches + one] = minus(v[2 * k], v[2 * k + 1]);
    }
}

KERNEL cosine_8x8(const float* in, float* out, int width) {  // blocks of 8 × 32: four squares of a picture
    __shared__ float square[32][9], half[32][9];
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y, base = threadIdx.y & ~7;
    square[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += square[threadIdx.y][k] * __cosf((2 * k + 1) * threadIdx.x * 0.19634954f);
    half[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += half[base + k][threadIdx.x] * __cosf((2 * k + 1) * (threadIdx.y & 7) * 0.19634954f);
    out[y * width + x] = sum * 0.25f;
}

KERNEL deposit(const float* x, const float* y, const int* cell, float* charge, int width, int n) {  // particles into four corners
    const int i = global_x();
    if (i >= n) return;
    const float fx = x[i] - 0.5f, fy = y[i] - 0.5f;
    const int at = cell[i];
    atomicAdd(charge + at, (1 - fx) * (1 - fy));
    atomicAdd(charge + at + 1, fx * (1 - fy));
    atomicAdd(charge + at + width, (1 - fx) * fy);
    atomicAdd(charge + at + width + 1, fx * fy);
}

KERNEL spmv_coo(const int* row, const int* column, const float* value, const float* x, float* y, int n) {
    const int i = global_x();
    if (i < n) atomicAdd(y + row[i], value[i] * x[column[i]]);
}

KERNEL gather_window(const int* offset, const float* in, float* out, int window) {  // near the thread's own place
    const int i = global_x(), base = i & ~(window - 1);
    out[i] = in[base + (offset[i] & (window - 1))] + in[base + (offset[i] >> 8 & (window - 1))];
}

KERNEL pairs_listed(const float4* atom, const int* neighbour, float4* force, int atoms, int most) {  // forces from a list
    const int i = global_x();
    if (i >= atoms) return;
    const float4 me = atom[i];
    float3 sum = {0, 0, 0};
    for (int k = 0; k < most; ++k) {
        const float4 other = atom[neighbour[k * atoms + i]];
        const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z, square = dx * dx + dy * dy + dz * dz + 0.01f;
        const float inverse = 1.0f / square, six = inverse * inverse * inverse, scale = six * (2.0f * six - 1.0f) * inverse;
        sum.x += dx * scale, sum.y += dy * scale, sum.z += dz * scale;
    }
    force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

KERNEL circle_points(unsigned* inside, int rounds, unsigned seed) {  // xorshift; counts points in the quarter circle
    unsigned state = (global_x() + 1) * 2654435761u ^ seed, hits = 0;
    for (int k = 0; k < rounds; ++k) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float x = (state >> 8) * 0x1p-24f;
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float y = (state >> 8) * 0x1p-24f;
        hits += x * x + y * y < 1.0f;
    }
    hits = __reduce_add_sync(~0u, hits);
    if ((threadIdx.x & 31) == 0) inside[global_x() >> 5] = hits;
}

KERNEL table_cipher(const uint4* in, const unsigned* tables, uint4* out, unsigned k0, unsigned k1, unsigned k2, unsigned k3,
                    int rounds) {  // four tables of 256 in shared memory
    __shared__ unsigned box[4][256];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) box[k >> 8][k & 255] = tables[k];
    __syncthreads();
    uint4 s = in[global_x()];
    for (int round = 0; round < rounds; ++round) {
        const unsigned a = box[0][s.x >> 24] ^ box[1][s.y >> 16 & 255] ^ box[2][s.z >> 8 & 255] ^ box[3][s.w & 255] ^ k0;
        const unsigned b = box[0][s.y >> 24] ^ box[1][s.z >> 16 & 255] ^ box[2][s.w >> 8 & 255] ^ box[3][s.x & 255] ^ k1;
        const unsigned c = box[0][s.z >> 24] ^ box[1][s.w >> 16 & 255] ^ box[2][s.x >> 8 & 255] ^ box[3][s.y & 255] ^ k2;
        const unsigned d = box[0][s.w >> 24] ^ box[1][s.x >> 16 & 255] ^ box[2][s.y >> 8 & 255] ^ box[3][s.z & 255] ^ k3;
        s = make_uint4(a, b, c, d);
    }
    out[global_x()] = s;
}

KERNEL align_tile(const int* score, int* corner, int penalty) {  // a warp fills a tile of 32 × 32, diagonal by diagonal
    __shared__ int best[33][33], match[32][33];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    for (int k = 0; k < 32; ++k) match[k][t] = score[first + k * 32 + t];
    best[0][t + 1] = -penalty * (t + 1);
    best[t + 1][0] = -penalty * (t + 1);
    if (t == 0) best[0][0] = 0;
    __syncwarp();
    for (int diagonal = 0; diagonal < 63; ++diagonal) {
        const int row = t, column = diagonal - t;
        if (column >= 0 && column < 32)
            best[row + 1][column + 1] = max(best[row][column] + match[row][column], max(best[row][column + 1], best[row + 1][column]) - penalty);
        __syncwarp();
    }
    corner[blockIdx.x * 32 + t] = best[32][t + 1];
}

KERNEL spheres(const float4* sphere, float* depth, int width, int count) {  // the nearest of some spheres for every ray
    const int x = global_x(), y = global_y();
    const float dx = (x - width * 0.5f) / width, dy = (y - width * 0.5f) / width, length = rsqrtf(dx * dx + dy * dy + 1.0f);
    float nearest = 1e30f;
    for (int k = 0; k < count; ++k) {
        const float4 s = sphere[k];
        const float along = (s.x * dx + s.y * dy + s.z) * length;
        const float inside = along * along - (s.x * s.x + s.y * s.y + s.z * s.z) + s.w * 0.01f;
        if (inside > 0) nearest = fminf(nearest, along - sqrtf(inside));
    }
    depth[y * width + x] = nearest;
}

KERNEL __launch_bounds__(128) polynomials(const double* x, double* y, int n) {  // sixteen at a time in registers
    double value[16], sum[16];
    const int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 16; ++k) value[k] = x[first + k * 128], sum[k] = 1.0 / 39916800;
    for (int term = 10; term >= 0; --term)
#pragma unroll
        for (int k = 0; k < 16; ++k) sum[k] = sum[k] * value[k] + 1.0 / (term + 1);
#pragma unroll
    for (int k = 0; k < 16; ++k) y[first + k * 128] = sum[k];
}

KERNEL checksums(const unsigned char* text, const unsigned* table, unsigned* sum, int length) {  // a thread for each line
    unsigned crc = ~0u;
    const unsigned char* line = text + static_cast<long long>(global_x()) * length;
    for (int k = 0; k < length; ++k) crc = crc >> 8 ^ __ldg(table + ((crc ^ line[k]) & 255));
    sum[global_x()] = ~crc;
}

KERNEL whole_array(const float* in, float* out, int n) {  // one block reads everything
    __shared__ float part[32];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
    for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x >> 5 ? part[threadIdx.x] : 0.0f;
        for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
        if (threadIdx.x == 0) out[0] = sum;
    }
}
