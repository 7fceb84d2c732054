// Layers of language models, and distances.
#include "../kernels/common.cuh"
#include <cuda_fp16.h>

KERNEL rms_norm(const float4* in, const float4* scale, float4* out, int quads) {  // a block of 256 for each row
    __shared__ float part[8];
    const float4* row = in + blockIdx.x * quads;
    float sum = 0;
    for (int k = threadIdx.x; k < quads; k += 256) {
        const float4 v = row[k];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += part[k];
    const float factor = rsqrtf(sum / (4 * quads) + 1e-5f);
    for (int k = threadIdx.x; k < quads; k += 256) {
        const float4 v = row[k], s = scale[k];
        out[blockIdx.x * quads + k] = make_float4(v.x * s.x * factor, v.y * s.y * factor, v.z * s.z * factor, v.w * s.w * factor);
    }
}

KERNEL rotary(float2* query, int heads, int half, float base) {  // a thread for each pair
    const int pair = global_x() % half, token = global_x() / (half * heads);
    const float angle = token * exp2f(-base * pair / half);
    float sine, cosine;
    __sincosf(angle, &sine, &cosine);
    const float2 v = query[global_x()];
    query[global_x()] = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

KERNEL gated_halves(const __half2* gate, const __half2* up, __half2* out, int n) {  // x · sigmoid(x) · y
    const int i = global_x();
    if (i >= n) return;
    const __half2 x = gate[i], one = __float2half2_rn(1.0f);
    out[i] = __hmul2(__hmul2(x, h2rcp(__hadd2(one, h2exp(__hneg2(x))))), up[i]);
}

KERNEL attention_rows(const float* q, const float* k, const float* v, float* out, int tokens) {  // heads of 64; a thread for each query
    __shared__ float keys[32][64], values[32][64];
    const int head = blockIdx.y * tokens * 64, row = head + (blockIdx.x * 64 + threadIdx.x) * 64;
    float query[64], sum[64], most = -1e30f, total = 0;
#pragma unroll
    for (int d = 0; d < 64; ++d) query[d] = q[row + d] * 0.125f, sum[d] = 0;
    for (int first = 0; first < tokens; first += 32) {
        __syncthreads();
        for (int i = threadIdx.x; i < 2048; i += 64) {
            keys[i >> 6][i & 63] = k[head + first * 64 + i];
            values[i >> 6][i & 63] = v[head + first * 64 + i];
        }
        __syncthreads();
        for (int j = 0; j < 32; ++j) {
            float score = 0;
#pragma unroll
            for (int d = 0; d < 64; ++d) score += query[d] * keys[j][d];
            const float higher = fmaxf(most, score), old = __expf(most - higher), now = __expf(score - higher);
            total = total * old + now;
#pragma unroll
            for (int d = 0; d < 64; ++d) sum[d] = sum[d] * old + now * values[j][d];
            most = higher;
        }
    }
#pragma unroll
    for (int d = 0; d < 64; ++d) out[row + d] = sum[d] / total;
}

KERNEL embed(const int* token, const float4* table, float4* out, int quads) {  // rows of a table
    const int row = token[blockIdx.x];
    for (int k = threadIdx.x; k < quads; k += blockDim.x) out[blockIdx.x * quads + k] = table[row * quads + k];
}

KERNEL quantise(const float4* in, char4* out, float* scales) {  // a warp for every 128 numbers
    const int i = global_x();
    const float4 v = in[i];
    float most = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    for (int step = 16; step; step >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    const float factor = 127.0f / most;
    out[i] = make_char4(__float2int_rn(v.x * factor), __float2int_rn(v.y * factor), __float2int_rn(v.z * factor), __float2int_rn(v.w * factor));
    if ((threadIdx.x & 31) == 0) scales[i >> 5] = most / 127.0f;
}

KERNEL nearest_centre(const float* point, const float* centre, int* nearest, int points, int centres) {  // 16 coordinates, one array each
    extern __shared__ float known[];
    for (int k = threadIdx.x; k < centres * 16; k += blockDim.x) known[k] = centre[k];
    __syncthreads();
    const int i = global_x();
    if (i >= points) return;
    float mine[16], best = 1e30f;
    int which = 0;
#pragma unroll
    for (int d = 0; d < 16; ++d) mine[d] = point[d * points + i];
    for (int c = 0; c < centres; ++c) {
        float distance = 0;
#pragma unroll
        for (int d = 0; d < 16; ++d) {
            const float apart = mine[d] - known[c * 16 + d];
            distance += apart * apart;
        }
        if (distance < best) best = distance, which = c;
    }
    nearest[i] = which;
}
