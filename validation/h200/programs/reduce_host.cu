// Sums of blocks, added up by the host; integers and doubles.
#include "check.h"
template <class T>
__global__ void sums(const T* in, T* out, int n) {
    __shared__ T part[256];
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
template <class T>
double total(const std::vector<T>& data) {
    const int blocks = 528, n = static_cast<int>(data.size());
    T *in, *out;
    std::vector<T> parts(blocks);
    CHECK(cudaMalloc(&in, n * sizeof(T)));
    CHECK(cudaMalloc(&out, blocks * sizeof(T)));
    CHECK(cudaMemcpy(in, data.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    Elapsed time;
    sums<<<blocks, 256>>>(in, out, n);
    time.print();
    CHECK(cudaMemcpy(parts.data(), out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    T sum = 0;
    for (T part : parts) sum += part;
    return static_cast<double>(sum);
}
int main() {
    const int n = 1 << 22;
    std::vector<unsigned long long> whole(n);
    std::vector<double> real(n);
    unsigned long long expected = 0;
    double expected_real = 0;
    Random random(3);
    for (int i = 0; i < n; ++i) {
        whole[i] = random.next();
        real[i] = random.real() - 0.25;
        expected += whole[i];
        expected_real += real[i];
    }
    bool right = total(whole) == static_cast<double>(expected);
    right &= near(total(real), expected_real, 1e-10);
    return verdict(right, "reduce_host");
}
