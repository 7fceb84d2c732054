// Clusters: shared memory of other blocks, barriers of the cluster, copies to several blocks.
#include <cstdint>
#include <cuda.h>

__device__ uint32_t at(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ uint32_t rank() { uint32_t r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ uint32_t size() { uint32_t r; asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
__device__ uint32_t mapped(uint32_t a, uint32_t r) { uint32_t x; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(r)); return x; }
__device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// A wait that ends: a wrong count shows as wrong results, not as a hang.
__device__ void wait(uint64_t* bar, int parity) {
    for (int k = 0; k < 1 << 16; ++k) {
        unsigned done;
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
        if (done) return;
    }
}

// Names of blocks in their cluster.
extern "C" __global__ void cluster_names(unsigned* out) {
    unsigned v[14];
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[5]));
    asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[6]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[7]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[8]));
    asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[9]));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[10]));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[11]));
    v[12] = blockIdx.x + (blockIdx.y << 8) + (gridDim.x << 16) + (gridDim.y << 24);
    v[13] = 0;
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0,1,0,p;}" : "=r"(v[13]));
    if (threadIdx.x == 0)
        for (int k = 0; k < 14; ++k) out[(blockIdx.x + gridDim.x * blockIdx.y) * 14 + k] = v[k];
}

// Every block reads words of all blocks of its cluster, adds to counters in them, and writes into the next one.
extern "C" __global__ void cluster_exchange(const unsigned* in, unsigned* out) {
    __shared__ unsigned own[128], count, given[128];
    const unsigned t = threadIdx.x, block = blockIdx.x;
    own[t] = in[block * 128 + t];
    if (t == 0) count = 0;
    sync_cluster();
    unsigned sum = 0;
    for (unsigned r = 0; r < size(); ++r) {
        unsigned v;
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(mapped(at(&own[(t + r) % 128]), r)) : "memory");
        sum = sum * 3 + v;
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(mapped(at(&count), r)), "r"(t + 1) : "memory");
    }
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped(at(&given[127 - t]), (rank() + 1) % size())), "r"(sum ^ block) : "memory");
    sync_cluster();
    unsigned old;
    asm volatile("atom.relaxed.cluster.shared::cluster.exch.b32 %0, [%1], %2;" : "=r"(old) : "r"(mapped(at(&own[t]), (rank() + 1) % size())), "r"(0u) : "memory");
    sync_cluster();
    out[block * 128 + t] = given[t] + count + old;
    sync_cluster();
}

// Generic pointers of cooperative groups' map_shared_rank.
extern "C" __global__ void cluster_generic(const unsigned* in, unsigned* out) {
    __shared__ unsigned own[64];
    own[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    sync_cluster();
    unsigned long long p;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(p) : "l"(&own[63 - threadIdx.x]), "r"(size() - 1 - rank()));
    unsigned r;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(r) : "l"(p));
    out[blockIdx.x * 64 + threadIdx.x] = *reinterpret_cast<unsigned*>(p) * 8 + r;
    sync_cluster();
}

// A bulk copy to all blocks of a cluster, each waits at its own barrier; arrivals at the barrier of block 0.
extern "C" __global__ void cluster_multicast(const unsigned* in, unsigned* out) {
    __shared__ __align__(128) unsigned data[1024];
    __shared__ uint64_t full, all;
    const unsigned words = 1024 / size();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&all)), "r"(size() * 32));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_cluster();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(4096) : "memory");
        const unsigned first = rank() * words;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(data + first)), "l"(in + blockIdx.x / size() * 1024 + first), "r"(words * 4), "r"(at(&full)), "h"(static_cast<unsigned short>((1 << size()) - 1)) : "memory");
    }
    wait(&full, 0);
    if (threadIdx.x < 32) asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(at(&all), 0)) : "memory");
    if (rank() == 0) wait(&all, 0);
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) out[blockIdx.x * 1024 + k] = data[k] + k;
    sync_cluster();
}

// A tile to the blocks of a mask.
extern "C" __global__ void cluster_tiles(const __grid_constant__ CUtensorMap map, unsigned* out, int mask) {
    __shared__ __align__(1024) unsigned data[256];
    __shared__ uint64_t full;
    for (int k = threadIdx.x; k < 256; k += blockDim.x) data[k] = 0xeeeeeeee;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_cluster();
    const bool receives = mask >> rank() & 1;
    if (threadIdx.x == 0) {
        if (receives) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(1024) : "memory");
        if (rank() == 1)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(data)), "l"(&map), "r"(4), "r"((int)(blockIdx.x / size())), "r"(at(&full)), "h"(static_cast<unsigned short>(mask)) : "memory");
    }
    if (receives) wait(&full, 0);
    for (int k = threadIdx.x; k < 256; k += blockDim.x) out[blockIdx.x * 256 + k] = data[k];
    sync_cluster();
}

// Copies from shared memory to that of another block, and single words (st.async), which count as bytes at its barrier.
extern "C" __global__ void cluster_pushes(const unsigned* in, unsigned* out) {
    __shared__ __align__(128) unsigned data[256], got[256], words[64];
    __shared__ uint64_t full;
    data[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(1024 + 256) : "memory");
    }
    sync_cluster();
    const unsigned next = (rank() + 1) % size();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(mapped(at(got), next)), "r"(at(data)), "r"(mapped(at(&full), next)) : "memory");
    if (threadIdx.x < 64)
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(mapped(at(&words[threadIdx.x]), next)), "r"(blockIdx.x * 1000 + threadIdx.x), "r"(mapped(at(&full), next)) : "memory");
    wait(&full, 0);
    out[blockIdx.x * 256 + threadIdx.x] = got[threadIdx.x] + words[threadIdx.x % 64];
    sync_cluster();
}
