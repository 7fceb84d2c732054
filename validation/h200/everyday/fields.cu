// Stencils, images, particles, graphs and parts of networks as applications have them.
#include <cuda_fp16.h>

#include "../kernels/common.cuh"

KERNEL wave_2d(const float* __restrict__ now, const float* __restrict__ before, float* next, int n, float c) {  // fourth order
    const int x = global_x() + 2, y = global_y() + 2;
    if (x >= n - 2 || y >= n - 2) return;
    const int i = y * n + x;
    const float across = -now[i - 2] + 16 * now[i - 1] - 30 * now[i] + 16 * now[i + 1] - now[i + 2];
    const float along = -now[i - 2 * n] + 16 * now[i - n] - 30 * now[i] + 16 * now[i + n] - now[i + 2 * n];
    next[i] = 2 * now[i] - before[i] + c * (across + along);
}

KERNEL heat_3d(const double* __restrict__ in, double* out, int n, double k) {
    const int x = global_x(), y = global_y(), z = global_z();
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const long long i = (static_cast<long long>(z) * n + y) * n + x;
    out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i]);
}

KERNEL lattice_d2q9(const float* __restrict__ in, float* out, int n, float omega) {  // collide and pull
    const int x = global_x(), y = global_y();
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float f[9], density = 0, u = 0, v = 0;
    for (int q = 0; q < 9; ++q) {
        f[q] = in[(q * n + ((y - cy[q]) & (n - 1))) * n + ((x - cx[q]) & (n - 1))];
        density += f[q];
        u += cx[q] * f[q];
        v += cy[q] * f[q];
    }
    u /= density;
    v /= density;
    for (int q = 0; q < 9; ++q) {
        const float along = 3 * (cx[q] * u + cy[q] * v), weight = q == 0 ? 4.0f / 9 : q < 5 ? 1.0f / 9 : 1.0f / 36;
        const float rest = weight * density * (1 + along + 0.5f * along * along - 1.5f * (u * u + v * v));
        out[(q * n + y) * n + x] = f[q] + omega * (rest - f[q]);
    }
}

KERNEL sobel_bytes(const unsigned char* __restrict__ in, unsigned char* out, int width, int height) {
    const int x = global_x(), y = global_y();
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const unsigned char *a = in + (y - 1) * width + x, *b = a + width, *c = b + width;
    const int gx = a[1] + 2 * b[1] + c[1] - a[-1] - 2 * b[-1] - c[-1], gy = c[-1] + 2 * c[0] + c[1] - a[-1] - 2 * a[0] - a[1];
    out[y * width + x] = min(255, abs(gx) + abs(gy));
}

KERNEL resize_bilinear(const float* __restrict__ in, float* out, int from, int to) {  // three planes
    const int x = global_x(), y = global_y(), plane = blockIdx.z;
    if (x >= to || y >= to) return;
    const float scale = static_cast<float>(from) / to, fx = fmaxf(0, (x + 0.5f) * scale - 0.5f), fy = fmaxf(0, (y + 0.5f) * scale - 0.5f);
    const int x0 = fx, y0 = fy, x1 = min(x0 + 1, from - 1), y1 = min(y0 + 1, from - 1);
    const float wx = fx - x0, wy = fy - y0;
    const float* p = in + plane * from * from;
    const float top = p[y0 * from + x0] * (1 - wx) + p[y0 * from + x1] * wx, low = p[y1 * from + x0] * (1 - wx) + p[y1 * from + x1] * wx;
    out[(plane * to + y) * to + x] = top * (1 - wy) + low * wy;
}

KERNEL blur_rows(const float* __restrict__ in, float* out, const float* __restrict__ weight, int n, int radius) {
    extern __shared__ float line[];
    const int x = global_x(), y = blockIdx.y, t = threadIdx.x;
    for (int k = t; k < blockDim.x + 2 * radius; k += blockDim.x)
        line[k] = in[y * n + min(n - 1, max(0, static_cast<int>(blockIdx.x * blockDim.x) + k - radius))];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += weight[k] * line[t + k];
    if (x < n) out[y * n + x] = sum;
}

KERNEL brightness_bins(const uchar4* __restrict__ pixels, int* bins, int n) {
    __shared__ int own[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        const uchar4 p = pixels[i];
        atomicAdd(&own[(p.x * 77 + p.y * 150 + p.z * 29) >> 8], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

KERNEL max_pool(const float* __restrict__ in, float* out, int n) {
    const int x = global_x(), y = global_y(), plane = blockIdx.z, half = n / 2;
    if (x >= half || y >= half) return;
    const float2* p = reinterpret_cast<const float2*>(in + (static_cast<long long>(plane) * n + 2 * y) * n) + x;
    const float2 a = p[0], b = p[half];
    out[(static_cast<long long>(plane) * half + y) * half + x] = fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y));
}

KERNEL depthwise_3(const float* __restrict__ in, const float* __restrict__ weight, float* out, int n) {
    const int x = global_x(), y = global_y(), channel = blockIdx.z;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n)
                sum += in[(channel * n + y + dy) * n + x + dx] * weight[channel * 9 + (dy + 1) * 3 + dx + 1];
    out[(channel * n + y) * n + x] = sum;
}

KERNEL to_channels_last(const float* __restrict__ in, float* out, int channels, int pixels) {
    const int i = global_x();
    if (i < channels * pixels) out[i] = in[i % channels * pixels + i / channels];
}

KERNEL rms_norm(const __half* __restrict__ in, const __half* __restrict__ weight, __half* out, int width) {  // a block for each row
    __shared__ float parts[8];
    const __half2* row = reinterpret_cast<const __half2*>(in + static_cast<long long>(blockIdx.x) * width);
    float sum = 0;
    for (int c = threadIdx.x; c < width / 2; c += 256) {
        const float2 v = __half22float2(row[c]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; ++k) sum += parts[k];
    const float scale = rsqrtf(sum / width + 1e-5f);
    __half2* to = reinterpret_cast<__half2*>(out + static_cast<long long>(blockIdx.x) * width);
    for (int c = threadIdx.x; c < width / 2; c += 256) {
        const float2 v = __half22float2(row[c]), w = __half22float2(reinterpret_cast<const __half2*>(weight)[c]);
        to[c] = __floats2half2_rn(v.x * scale * w.x, v.y * scale * w.y);
    }
}

KERNEL gelu_bias(const float4* __restrict__ in, const float4* __restrict__ bias, float4* out, int n, int width) {
    const int i = global_x();
    if (i >= n) return;
    const float4 a = in[i], b = bias[i % width];
    const auto gelu = [](float v) { return 0.5f * v * (1 + tanhf(0.7978846f * (v + 0.044715f * v * v * v))); };
    out[i] = make_float4(gelu(a.x + b.x), gelu(a.y + b.y), gelu(a.z + b.z), gelu(a.w + b.w));
}

KERNEL rotary(float2* q, const float* __restrict__ frequency, int heads, int half, int positions) {  // pairs turned by position
    const int i = global_x(), pair = i % half, position = i / (half * heads);
    if (position >= positions) return;
    float sine, cosine;
    sincosf(position * frequency[pair], &sine, &cosine);
    const float2 v = q[i];
    q[i] = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

KERNEL softmax_causal(float* scores, int n) {  // a block for each row, up to its diagonal
    __shared__ float parts[4];
    const int row = blockIdx.x % n, t = threadIdx.x;
    float* s = scores + static_cast<long long>(blockIdx.x) * n;
    float most = -1e30f, sum = 0;
    for (int c = t; c <= row; c += 128) most = fmaxf(most, s[c]);
    for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (t % 32 == 0) parts[t / 32] = most;
    __syncthreads();
    most = fmaxf(fmaxf(parts[0], parts[1]), fmaxf(parts[2], parts[3]));
    __syncthreads();
    for (int c = t; c <= row; c += 128) sum += s[c] = __expf(s[c] - most);
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (t % 32 == 0) parts[t / 32] = sum;
    __syncthreads();
    const float scale = 1 / (parts[0] + parts[1] + parts[2] + parts[3]);
    for (int c = t; c < n; c += 128) s[c] = c <= row ? s[c] * scale : 0;
}

KERNEL decode_attention(const __half* __restrict__ q, const __half* __restrict__ keys, const __half* __restrict__ values, float* out,
                        int length) {  // one new token, a block for each head, 128 wide
    __shared__ float sums[4][128], weights[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long head = static_cast<long long>(blockIdx.x) * length * 128;
    const uint2 mine = reinterpret_cast<const uint2*>(q + blockIdx.x * 128)[lane];
    const float2 qa = __half22float2(*reinterpret_cast<const __half2*>(&mine.x)), qb = __half22float2(*reinterpret_cast<const __half2*>(&mine.y));
    float total = 0, a = 0, b = 0, c = 0, d = 0;
    for (int p = warp; p < length; p += 4) {
        const uint2 k = reinterpret_cast<const uint2*>(keys + head + p * 128)[lane], v = reinterpret_cast<const uint2*>(values + head + p * 128)[lane];
        const float2 ka = __half22float2(*reinterpret_cast<const __half2*>(&k.x)), kb = __half22float2(*reinterpret_cast<const __half2*>(&k.y));
        float dot = qa.x * ka.x + qa.y * ka.y + qb.x * kb.x + qb.y * kb.y;
        for (int s = 16; s; s /= 2) dot += __shfl_xor_sync(~0u, dot, s);
        const float w = __expf(dot * 0.088f);
        const float2 va = __half22float2(*reinterpret_cast<const __half2*>(&v.x)), vb = __half22float2(*reinterpret_cast<const __half2*>(&v.y));
        total += w, a += w * va.x, b += w * va.y, c += w * vb.x, d += w * vb.y;
    }
    reinterpret_cast<float4*>(sums[warp])[lane] = make_float4(a, b, c, d);
    if (lane == 0) weights[warp] = total;
    __syncthreads();
    const int t = threadIdx.x;
    out[blockIdx.x * 128 + t] = (sums[0][t] + sums[1][t] + sums[2][t] + sums[3][t]) / (weights[0] + weights[1] + weights[2] + weights[3]);
}

KERNEL embed(const int* __restrict__ token, const float4* __restrict__ table, float4* out, int width) {
    const int row = blockIdx.x;
    for (int c = threadIdx.x; c < width; c += blockDim.x) out[row * width + c] = table[static_cast<long long>(token[row]) * width + c];
}

KERNEL embed_gradient(const int* __restrict__ token, const float* __restrict__ gradient, float* table, int width) {
    const int row = blockIdx.x;
    for (int c = threadIdx.x; c < width; c += blockDim.x)
        atomicAdd(&table[static_cast<long long>(token[row]) * width + c], gradient[row * width + c]);
}

KERNEL adam_step(float* weight, const float* __restrict__ gradient, float* mean, float* square, float rate, float first, float second, int n) {
    const int i = global_x();
    if (i >= n) return;
    const float g = gradient[i], m = mean[i] = 0.9f * mean[i] + 0.1f * g, s = square[i] = 0.999f * square[i] + 0.001f * g * g;
    weight[i] -= rate * (m * first) / (sqrtf(s * second) + 1e-8f);
}

KERNEL bytes_times_vector(const char4* __restrict__ a, const float4* __restrict__ x, const float* __restrict__ scale, float* y, int width) {
    const int row = global_x() / 32, lane = threadIdx.x % 32;  // weights of one byte
    float sum = 0;
    for (int c = lane; c < width; c += 32) {
        const char4 w = a[static_cast<long long>(row) * width + c];
        const float4 v = x[c];
        sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum * scale[row];
}

KERNEL gravity_tiles(const float4* __restrict__ body, float3* force, int n) {
    __shared__ float4 tile[256];
    const float4 mine = body[global_x()];
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; ++j) {
            const float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
            const float close = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), pull = tile[j].w * close * close * close;
            sum.x += dx * pull, sum.y += dy * pull, sum.z += dz * pull;
        }
    }
    force[global_x()] = sum;
}

KERNEL pair_forces(const float4* __restrict__ atom, const int* __restrict__ neighbour, float4* force, int atoms, int near) {
    const int i = global_x();
    if (i >= atoms) return;
    const float4 mine = atom[i];
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < near; ++k) {
        const float4 other = atom[neighbour[k * atoms + i]];
        const float dx = mine.x - other.x, dy = mine.y - other.y, dz = mine.z - other.z, square = dx * dx + dy * dy + dz * dz + 0.1f;
        const float inverse = 1 / square, six = inverse * inverse * inverse, pull = square < 6 ? six * (six - 0.5f) * inverse : 0;
        x += dx * pull, y += dy * pull, z += dz * pull;
    }
    force[i] = make_float4(x, y, z, 0);
}

KERNEL count_in_cells(const float4* __restrict__ particle, int* cell_of, int* count, int n, int side) {
    const int i = global_x();
    if (i >= n) return;
    const float4 p = particle[i];
    const int cell = (min(side - 1, static_cast<int>((p.z - 0.5f) * side)) * side + min(side - 1, static_cast<int>((p.y - 0.5f) * side))) * side +
                     min(side - 1, static_cast<int>((p.x - 0.5f) * side));
    cell_of[i] = cell;
    atomicAdd(&count[cell], 1);
}

KERNEL spread_labels(const int* __restrict__ begin, const int* __restrict__ other, const int* __restrict__ label, int* next, int n) {
    const int v = global_x();
    if (v >= n) return;
    int least = label[v];
    for (int e = begin[v]; e < begin[v + 1]; ++e) least = min(least, label[other[e]]);
    next[v] = least;
}

KERNEL degrees(const int* __restrict__ target, int* degree, int edges) {
    const int e = global_x();
    if (e < edges) atomicAdd(&degree[target[e]], 1);
}

KERNEL common_neighbours(const int* __restrict__ begin, const int* __restrict__ other, int* count, int n, int from) {
    const int v = global_x() + from;  // edges to the next vertex: lists of both walked together
    if (v >= n - 1) return;
    int a = begin[v], b = begin[v + 1], same = 0;
    const int end_a = b, end_b = begin[v + 2];
    while (a < end_a && b < end_b) {
        const int x = other[a], y = other[b];
        same += x == y;
        a += x <= y;
        b += y <= x;
    }
    count[v] = same;
}
