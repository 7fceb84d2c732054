// In the manner of HeCBench: keys put into an open hash table with compare-and-swap, looked up, counted.
#include <unordered_map>
#include "../programs/check.h"
__device__ __host__ inline unsigned mix(unsigned k) {
    k ^= k >> 16, k *= 0x85ebca6bu, k ^= k >> 13, k *= 0xc2b2ae35u, k ^= k >> 16;
    return k;
}
struct Slot {
    unsigned key, value;
};
__global__ void put(Slot* table, const unsigned* keys, int n, unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned at = mix(keys[i]) & mask;; at = (at + 1) & mask) {
        const unsigned was = atomicCAS(&table[at].key, 0xffffffffu, keys[i]);
        if (was == 0xffffffffu || was == keys[i]) {
            atomicAdd(&table[at].value, 1u);
            return;
        }
    }
}
__global__ void look_up(const Slot* table, const unsigned* keys, unsigned* found, int n, unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = mix(keys[i]) & mask;
    while (table[at].key != keys[i] && table[at].key != 0xffffffffu) at = (at + 1) & mask;
    found[i] = table[at].key == keys[i] ? table[at].value : 0;
}
__global__ void occupied(const Slot* table, unsigned size, unsigned* count) {
    unsigned own = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) own += table[i].key != 0xffffffffu;
    own = __reduce_add_sync(0xffffffffu, own);
    if (threadIdx.x % 32 == 0) atomicAdd(count, own);
}
int main() {
    const int n = 200000;
    const unsigned size = 1u << 19;
    std::vector<unsigned> keys(n), asked(n), got(n);
    std::unordered_map<unsigned, unsigned> expected;
    Random random(41);
    for (unsigned& k : keys) ++expected[k = random.next() % 150000 * 7];
    for (int i = 0; i < n; ++i) asked[i] = random.next() % 300000 * 7;
    Slot* table;
    unsigned *k, *a, *f, *c, count = 0;
    CHECK(cudaMalloc(&table, size * sizeof(Slot)));
    CHECK(cudaMalloc(&k, n * 4));
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&f, n * 4));
    CHECK(cudaMallocManaged(&c, 4));
    std::vector<Slot> empty(size, Slot{0xffffffffu, 0});
    CHECK(cudaMemcpy(table, empty.data(), size * sizeof(Slot), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(k, keys.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a, asked.data(), n * 4, cudaMemcpyHostToDevice));
    *c = 0;
    put<<<(n + 255) / 256, 256>>>(table, k, n, size - 1);
    look_up<<<(n + 255) / 256, 256>>>(table, a, f, n, size - 1);
    occupied<<<264, 256>>>(table, size, c);
    CHECK(cudaDeviceSynchronize());
    count = *c;
    CHECK(cudaMemcpy(got.data(), f, n * 4, cudaMemcpyDeviceToHost));
    bool right = count == expected.size();
    for (int i = 0; i < n; ++i) {
        auto it = expected.find(asked[i]);
        right = right && got[i] == (it == expected.end() ? 0 : it->second);
    }
    return verdict(right, "hash_table");
}
