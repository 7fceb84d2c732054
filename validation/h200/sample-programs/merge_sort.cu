// In the manner of CUDA's mergeSort: keys with values, sorted in shared memory, then merged by ranks of samples.
#include "../programs/check.h"
#include <algorithm>
typedef unsigned int uint;
constexpr uint SHARED = 1024, SAMPLE = 128, N = 1 << 18;
__device__ uint next_power(uint x) { return 1u << (32 - __clz(x - 1)); }
template <bool INCLUSIVE> __device__ uint search(uint value, const uint* data, uint length, uint stride) {
    if (length == 0) return 0;
    uint at = 0;
    for (; stride > 0; stride >>= 1) {
        const uint to = umin(at + stride, length);
        if (INCLUSIVE ? data[to - 1] <= value : data[to - 1] < value) at = to;
    }
    return at;
}
__global__ void sort_shared(uint* key, uint* value, uint* from_key, uint* from_value) {
    __shared__ uint k[SHARED], v[SHARED];
    const uint base = blockIdx.x * SHARED, t = threadIdx.x;
    k[t] = from_key[base + t], v[t] = from_value[base + t];
    k[t + SHARED / 2] = from_key[base + t + SHARED / 2], v[t + SHARED / 2] = from_value[base + t + SHARED / 2];
    for (uint stride = 1; stride < SHARED; stride <<= 1) {
        const uint l = t & (stride - 1);
        uint *bk = k + 2 * (t - l), *bv = v + 2 * (t - l);
        __syncthreads();
        const uint ka = bk[l], va = bv[l], kb = bk[l + stride], vb = bv[l + stride];
        const uint pa = search<false>(ka, bk + stride, stride, stride) + l, pb = search<true>(kb, bk, stride, stride) + l;
        __syncthreads();
        bk[pa] = ka, bv[pa] = va, bk[pb] = kb, bv[pb] = vb;
    }
    __syncthreads();
    key[base + t] = k[t], value[base + t] = v[t];
    key[base + t + SHARED / 2] = k[t + SHARED / 2], value[base + t + SHARED / 2] = v[t + SHARED / 2];
}
__global__ void sample_ranks(uint* ra, uint* rb, const uint* key, uint stride, uint threads) {
    const uint pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= threads) return;
    const uint i = pos & ((stride / SAMPLE) - 1), base = (pos - i) * (2 * SAMPLE);
    key += base, ra += base / SAMPLE, rb += base / SAMPLE;
    const uint segment = stride / SAMPLE;
    ra[i] = i * SAMPLE;
    rb[i] = search<false>(key[i * SAMPLE], key + stride, stride, next_power(stride));
    rb[segment + i] = i * SAMPLE;
    ra[segment + i] = search<true>(key[stride + i * SAMPLE], key, stride, next_power(stride));
}
__global__ void merge_ranks(uint* limits, const uint* ranks, uint stride, uint threads) {
    const uint pos = blockIdx.x * blockDim.x + threadIdx.x;
    if (pos >= threads) return;
    const uint segment = stride / SAMPLE, i = pos & (segment - 1), base = (pos - i) * 2;
    ranks += base, limits += base;
    limits[search<false>(ranks[i], ranks + segment, segment, next_power(segment)) + i] = ranks[i];
    limits[search<true>(ranks[segment + i], ranks, segment, next_power(segment)) + i] = ranks[segment + i];
}
__global__ void merge_intervals(uint* key, uint* value, const uint* sk, const uint* sv, const uint* la, const uint* lb, uint stride) {
    __shared__ uint k[2 * SAMPLE], v[2 * SAMPLE];
    __shared__ uint a0, b0, na, nb, to_a;
    const uint i = blockIdx.x & (2 * stride / SAMPLE - 1), base = (blockIdx.x - i) * SAMPLE, t = threadIdx.x;
    sk += base, sv += base, key += base, value += base;
    if (t == 0) {
        const uint segment = 2 * stride / SAMPLE;
        a0 = la[blockIdx.x], b0 = lb[blockIdx.x];
        const uint a1 = i + 1 < segment ? la[blockIdx.x + 1] : stride, b1 = i + 1 < segment ? lb[blockIdx.x + 1] : stride;
        na = a1 - a0, nb = b1 - b0, to_a = a0 + b0;
    }
    __syncthreads();
    if (t < na) k[t] = sk[a0 + t], v[t] = sv[a0 + t];
    if (t < nb) k[SAMPLE + t] = sk[stride + b0 + t], v[SAMPLE + t] = sv[stride + b0 + t];
    __syncthreads();
    uint pa = 0, pb = 0, ka = 0, va = 0, kb = 0, vb = 0;
    if (t < na) ka = k[t], va = v[t], pa = t + search<false>(ka, k + SAMPLE, nb, SAMPLE);
    if (t < nb) kb = k[SAMPLE + t], vb = v[SAMPLE + t], pb = t + search<true>(kb, k, na, SAMPLE);
    if (t < na) key[to_a + pa] = ka, value[to_a + pa] = va;
    if (t < nb) key[to_a + pb] = kb, value[to_a + pb] = vb;
}
int main() {
    std::vector<uint> key(N), value(N), gk(N), gv(N);
    Random random(17);
    for (uint i = 0; i < N; ++i) key[i] = random.next() % 65536, value[i] = i;
    uint *k[2], *v[2], *ra, *rb, *la, *lb;
    for (int i = 0; i < 2; ++i) { CHECK(cudaMalloc(&k[i], N * 4)); CHECK(cudaMalloc(&v[i], N * 4)); }
    for (uint** p : {&ra, &rb, &la, &lb}) CHECK(cudaMalloc(p, N / SAMPLE * 4));
    CHECK(cudaMemcpy(k[1], key.data(), N * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(v[1], value.data(), N * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    sort_shared<<<N / SHARED, SHARED / 2>>>(k[0], v[0], k[1], v[1]);
    int from = 0;
    for (uint stride = SHARED; stride < N; stride <<= 1, from ^= 1) {
        const uint threads = N / (2 * SAMPLE);
        sample_ranks<<<(threads + 255) / 256, 256>>>(ra, rb, k[from], stride, threads);
        merge_ranks<<<(threads + 255) / 256, 256>>>(la, ra, stride, threads);
        merge_ranks<<<(threads + 255) / 256, 256>>>(lb, rb, stride, threads);
        merge_intervals<<<N / SAMPLE, SAMPLE>>>(k[from ^ 1], v[from ^ 1], k[from], v[from], la, lb, stride);
    }
    elapsed.print();
    CHECK(cudaMemcpy(gk.data(), k[from], N * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(gv.data(), v[from], N * 4, cudaMemcpyDeviceToHost));
    std::stable_sort(value.begin(), value.end(), [&](uint a, uint b) { return key[a] < key[b]; });
    bool right = true;
    for (uint i = 0; i < N; ++i) right = right && gv[i] == value[i] && gk[i] == key[value[i]];
    return verdict(right, "merge_sort");
}
