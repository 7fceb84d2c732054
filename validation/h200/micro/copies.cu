// Copies of tiles into shared memory by blocks that share rows and columns of tiles: which requests are merged on their way to L2.
#define KERNEL extern "C" __global__ void
using U = unsigned;
__device__ inline U at(const void* p) { return static_cast<U>(__cvta_generic_to_shared(p)); }
// Tiles of `rows` rows of `bytes` bytes of a and of b, `stages` under way; each thread adds some of what arrived, `work` times.
template <int bytes, bool past, int stages>
__device__ void tiles(const char* a, const char* b, float* c, int pitch, int work) {
    constexpr int rows = 8192 / bytes, pieces = bytes / 16;
    extern __shared__ __align__(128) char s[];
    float sum = 0;
    const auto fetch = [&](int k) {
        for (int e = threadIdx.x; k * bytes < pitch && e < 2 * rows * pieces; e += blockDim.x) {
            const int right = e / (rows * pieces), r = e / pieces % rows, q = e % pieces;
            const char* from = (right ? b + static_cast<long long>(blockIdx.x * rows + r) * pitch : a + static_cast<long long>(blockIdx.y * rows + r) * pitch) + k * bytes + q * 16;
            const U to = at(s + (k % stages) * 16384 + right * 8192 + (r * pieces + q) * 16);
            if (past) asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(to), "l"(from));
            else asm volatile("cp.async.ca.shared.global [%0],[%1],16;" ::"r"(to), "l"(from));
        }
        asm volatile("cp.async.commit_group;");
    };
    for (int k = 0; k < stages - 1; ++k) fetch(k);
    for (int k = 0; k * bytes < pitch; ++k) {
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2));
        __syncthreads();
        fetch(k + stages - 1);
        const float* now = reinterpret_cast<const float*>(s + (k % stages) * 16384);
        for (int w = 0; w < work; ++w) sum += now[(threadIdx.x * 33 + w * 128) % 4096];
    }
    c[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}
#define TILES(bytes, past, name) KERNEL name(const char* a, const char* b, float* c, int pitch, int work) { tiles<bytes, past, 3>(a, b, c, pitch, work); }
TILES(64, true, y_past_64)
TILES(128, true, y_past_128)
TILES(256, true, y_past_256)
TILES(64, false, y_through_64)
TILES(128, false, y_through_128)
// The same by bulk copies of 8 KiB, in one piece each.
KERNEL y_bulk(const char* a, const char* b, float* c, int steps, int work) {
    extern __shared__ __align__(128) char ring[];
    __shared__ unsigned long long full[3];
    const int t = threadIdx.x;
    float sum = 0;
    const auto fetch = [&](int k) {
        if (t != 0 || k >= steps) return;
        const U barrier = at(full + k % 3);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],16384;" ::"r"(barrier) : "memory");
        for (int m = 0; m < 2; ++m)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],8192,[%2];" ::"r"(at(ring + k % 3 * 16384 + m * 8192)),
                         "l"((m ? b + static_cast<long long>(blockIdx.x) * steps * 8192 : a + static_cast<long long>(blockIdx.y) * steps * 8192) + k * 8192), "r"(barrier) : "memory");
    };
    if (t < 3) asm volatile("mbarrier.init.shared.b64 [%0],1;" ::"r"(at(full + t)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    for (int k = 0; k < 2; ++k) fetch(k);
    for (int k = 0; k < steps; ++k) {
        fetch(k + 2);
        U done;
        do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(at(full + k % 3)), "r"(k / 3 & 1) : "memory");
        while (!done);
        const float* now = reinterpret_cast<const float*>(ring + k % 3 * 16384);
        for (int w = 0; w < work; ++w) sum += now[(t * 33 + w * 128) % 4096];
        __syncthreads();
    }
    c[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + t] = sum;
}
