// libcu++: atomic_ref, barrier with asynchronous copies, pipeline, and types of cuda::std on the device.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cooperative_groups.h>
#include "../programs/check.h"
namespace cg = cooperative_groups;
__global__ void tickets(const int* in, int* slots, int n, int* head, unsigned long long* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuda::atomic_ref<int, cuda::thread_scope_device> next(*head);
    slots[next.fetch_add(1, cuda::memory_order_relaxed)] = in[i];
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*sum).fetch_add(in[i], cuda::memory_order_relaxed);
}
__global__ void smooth(const float* in, float* out, int n) {
    constexpr int tile = 256;
    __shared__ alignas(16) float staged[2][tile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int tiles = n / tile;
    auto fetch = [&](int t, int stage) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, staged[stage], in + t * tile, cuda::aligned_size_t<16>(sizeof(float) * tile), pipe);
        pipe.producer_commit();
    };
    int stage = 0;
    fetch(blockIdx.x, 0);
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, stage ^= 1) {
        if (t + gridDim.x < tiles) fetch(t + gridDim.x, stage ^ 1);
        pipe.consumer_wait();
        const int l = threadIdx.x;
        out[t * tile + l] = (staged[stage][l ? l - 1 : 0] + staged[stage][l] + staged[stage][l < tile - 1 ? l + 1 : l]) / 3;
        pipe.consumer_release();
    }
}
__global__ void waves(const float* in, float* out, int n) {
    using Complex = cuda::std::complex<float>;
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ float shared[128];
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = in[i];
    ready.arrive_and_wait();
    cuda::std::span<float> all(shared, 128);
    cuda::std::array<Complex, 4> turns{Complex(1, 0), Complex(0, 1), Complex(-1, 0), Complex(0, -1)};
    Complex sum(0, 0);
    for (int k = 0; k < 128; ++k) sum += turns[(k * threadIdx.x) & 3] * all[k];
    cuda::std::optional<float> size = i < n ? cuda::std::optional<float>(cuda::std::norm(sum)) : cuda::std::nullopt;
    auto [value, there] = cuda::std::make_pair(size.value_or(-1), size.has_value());
    if (there) out[i] = value;
}
int main() {
    const int n = 1 << 17;
    std::vector<int> data(n), slots(n);
    std::vector<float> reals(n), got(n);
    Random random(4);
    unsigned long long expected = 0, sum = 0;
    for (int i = 0; i < n; ++i) expected += data[i] = random.next() % 4096, reals[i] = random.real();
    int *in, *out, *head;
    float *rin, *rout;
    unsigned long long* total;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&rin, n * 4));
    CHECK(cudaMalloc(&rout, n * 4));
    CHECK(cudaMalloc(&head, 4));
    CHECK(cudaMalloc(&total, 8));
    CHECK(cudaMemset(head, 0, 4));
    CHECK(cudaMemset(total, 0, 8));
    CHECK(cudaMemcpy(in, data.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(rin, reals.data(), n * 4, cudaMemcpyHostToDevice));
    tickets<<<n / 256, 256>>>(in, out, n, head, total);
    CHECK(cudaMemcpy(&sum, total, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(slots.data(), out, n * 4, cudaMemcpyDeviceToHost));
    long long left = expected;
    for (int x : slots) left -= x;
    bool right = sum == expected && left == 0;
    smooth<<<132, 256>>>(rin, rout, n);
    CHECK(cudaMemcpy(got.data(), rout, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        const int l = i % 256;
        const float mean = (reals[l ? i - 1 : i] + reals[i] + reals[l < 255 ? i + 1 : i]) / 3;
        right = right && near(got[i], mean, 1e-6);
    }
    waves<<<n / 128, 128>>>(rin, rout, n);
    CHECK(cudaMemcpy(got.data(), rout, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        double re = 0, im = 0;
        const double c[] = {1, 0, -1, 0}, s[] = {0, 1, 0, -1};
        for (int k = 0; k < 128; ++k) re += c[k * (i % 128) & 3] * reals[i / 128 * 128 + k], im += s[k * (i % 128) & 3] * reals[i / 128 * 128 + k];
        right = right && fabs(got[i] - (re * re + im * im)) <= 1e-3 + 1e-5 * got[i];
    }
    return verdict(right, "cuda_std");
}
