// cuRAND on the device: option prices by Monte Carlo with three generators, the same on the host.
#define QUALIFIERS static inline __host__ __device__
#include <curand_kernel.h>
#include "../programs/check.h"
template <class State>
__host__ __device__ float path(State& state, int steps) {
    float price = 100;
    for (int s = 0; s < steps; ++s) price *= expf(0.0002f + 0.01f * curand_normal(&state));
    return fmaxf(price - 100, 0.f);
}
__global__ void start(curandState* states, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) curand_init(17, i, 0, states + i);
}
__global__ void xorwow(curandState* states, float* out, int steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandState state = states[i];
    out[i] = path(state, steps);
    states[i] = state;
}
template <class State>
__global__ void from_seed(float* out, int steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    State state;
    curand_init(17, i, 0, &state);
    out[i] = path(state, steps);
}
template <class State>
bool same(const std::vector<float>& got, int steps) {
    for (int i = 0; i < int(got.size()); i += 97) {
        State state;
        curand_init(17, i, 0, &state);
        if (fabs(got[i] - path(state, steps)) > 2e-3) return false;
    }
    return true;
}
int main() {
    const int n = 8192, steps = 64;
    curandState* states;
    float* out;
    std::vector<float> got(n);
    CHECK(cudaMalloc(&states, n * sizeof(curandState)));
    CHECK(cudaMalloc(&out, n * 4));
    start<<<n / 64, 64>>>(states, n);
    xorwow<<<n / 128, 128>>>(states, out, steps, n);
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    bool right = same<curandState>(got, steps);
    from_seed<curandStatePhilox4_32_10_t><<<n / 128, 128>>>(out, steps, n);
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    right = right && same<curandStatePhilox4_32_10_t>(got, steps);
    from_seed<curandStateMRG32k3a><<<n / 128, 128>>>(out, steps, n);
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    right = right && same<curandStateMRG32k3a>(got, steps);
    return verdict(right, "curand_paths");
}
