// Options: a binomial tree in the shared memory of a block, paths with a generator in the kernel in several streams, a one-factor
// fast Walsh transform and scalar products of many pairs.
#include "../user-programs/digest.h"

struct Option { float spot, strike, years; };
__constant__ Option options[64];

__global__ void tree(int steps, float rate, float volatility, float* values) {
    extern __shared__ float level[];
    const Option o = options[blockIdx.x];
    const float dt = o.years / steps, up = expf(volatility * sqrtf(dt)), down = 1 / up;
    const float grow = expf(rate * dt), p = (grow - down) / (up - down), pu = p / grow, pd = (1 - p) / grow;
    for (int i = threadIdx.x; i <= steps; i += blockDim.x) level[i] = fmaxf(o.spot * expf(volatility * sqrtf(dt) * (2.0f * i - steps)) - o.strike, 0.0f);
    __syncthreads();
    float own[9];
    for (int left = steps; left > 0; --left) {
        int k = 0;
        for (int i = threadIdx.x; i < left; i += blockDim.x) own[k++] = pu * level[i + 1] + pd * level[i];
        __syncthreads();
        k = 0;
        for (int i = threadIdx.x; i < left; i += blockDim.x) level[i] = own[k++];
        __syncthreads();
    }
    if (threadIdx.x == 0) values[blockIdx.x] = level[0];
}
__device__ inline float normal(unsigned& a, unsigned& b) {
    a ^= a << 13, a ^= a >> 17, a ^= a << 5, b = b * 69069u + 12345u;
    const float u = ((a + b) >> 8) * (1.0f / 16777216.0f) + 3e-8f;
    a ^= a << 13, a ^= a >> 17, a ^= a << 5, b = b * 69069u + 12345u;
    return sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * ((a + b) >> 8) * (1.0f / 16777216.0f));
}
__global__ void paths(int first, int per_thread, float rate, float volatility, double2* sums) {
    const Option o = options[first + blockIdx.y];
    unsigned a = 0x9E3779B9u * (blockIdx.x * blockDim.x + threadIdx.x + 1), b = 77u + first + blockIdx.y;
    float sum = 0, squares = 0;
    const float drift = (rate - 0.5f * volatility * volatility) * o.years, spread = volatility * sqrtf(o.years);
    for (int k = 0; k < per_thread; ++k) {
        const float gain = fmaxf(o.spot * __expf(drift + spread * normal(a, b)) - o.strike, 0.0f);
        sum += gain, squares += gain * gain;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes), squares += __shfl_down_sync(~0u, squares, lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(&sums[first + blockIdx.y].x, (double)sum), atomicAdd(&sums[first + blockIdx.y].y, (double)squares);
}
__global__ void walsh_shared(float* data, int log_n) {
    extern __shared__ float part[];
    const int n = 1 << log_n, base = blockIdx.x << log_n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) part[i] = data[base + i];
    for (int stride = n / 2; stride > 0; stride /= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            const int low = i & (stride - 1), at = 2 * i - low;
            const float x = part[at], y = part[at + stride];
            part[at] = x + y, part[at + stride] = x - y;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[base + i] = part[i];
}
__global__ void walsh_global(float* data, int stride, int quarter) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= quarter) return;
    const int low = at & (stride - 1), base = 4 * (at - low) + low;
    const float a = data[base], b = data[base + stride], c = data[base + 2 * stride], d = data[base + 3 * stride];
    const float s = a + c, t = b + d, u = a - c, v = b - d;
    data[base] = s + t, data[base + stride] = s - t, data[base + 2 * stride] = u + v, data[base + 3 * stride] = u - v;
}
__global__ void scalar_products(const float* a, const float* b, int pairs, int n, float* result) {
    __shared__ float sums[1024];
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
            float sum = 0;
            for (int i = k; i < n; i += 1024) sum += a[pair * n + i] * b[pair * n + i];
            sums[k] = sum;
        }
        for (int step = 512; step > 0; step /= 2) {
            __syncthreads();
            for (int k = threadIdx.x; k < step; k += blockDim.x) sums[k] += sums[k + step];
        }
        if (threadIdx.x == 0) result[pair] = sums[0];
        __syncthreads();
    }
}
static double black_scholes(Option o, double r, double v) {
    const double d = (log(o.spot / o.strike) + (r + v * v / 2) * o.years) / (v * sqrt(o.years));
    auto cdf = [](double x) { return 0.5 * erfc(-x / sqrt(2.0)); };
    return o.spot * cdf(d) - o.strike * exp(-r * o.years) * cdf(d - v * sqrt(o.years));
}

int main() {
    const float rate = 0.02f, volatility = 0.3f;
    Random random(9);
    Option all[64];
    for (Option& o : all) o = {20 + 30 * random.real(), 20 + 30 * random.real(), 0.5f + 4 * random.real()};
    CHECK(cudaMemcpyToSymbol(options, all, sizeof all));
    float *values, *data, *other, *products;
    double2* sums;
    const int log_n = 20, n = 1 << log_n, pairs = 256, length = 4096, per = 500;
    CHECK(cudaMalloc(&values, 256));
    CHECK(cudaMalloc(&sums, 64 * sizeof(double2)));
    CHECK(cudaMemset(sums, 0, 64 * sizeof(double2)));
    CHECK(cudaMalloc(&data, n * 4));
    CHECK(cudaMalloc(&other, n * 4));
    CHECK(cudaMalloc(&products, pairs * 4));
    std::vector<float> in(n), back(n), of_pairs(pairs);
    for (float& x : in) x = random.real();
    CHECK(cudaMemcpy(data, in.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(other, in.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    tree<<<64, 256, 2049 * 4>>>(2048, rate, volatility, values);
    cudaStream_t streams[4];
    for (int s = 0; s < 4; ++s) {
        CHECK(cudaStreamCreate(&streams[s]));
        paths<<<dim3(16, 16), 256, 0, streams[s]>>>(16 * s, per, rate, volatility, sums);
    }
    CHECK(cudaDeviceSynchronize());
    scalar_products<<<128, 256>>>(data, other, pairs, length, products);
    for (int log = log_n; log > 11; log -= 2) walsh_global<<<n / 4 / 256, 256>>>(data, 1 << (log - 2), n / 4);
    walsh_shared<<<n / 1024, 256, 1024 * 4>>>(data, 10);
    elapsed.print();
    CHECK(cudaGetLastError());
    float trees[64];
    double2 both[64];
    CHECK(cudaMemcpy(trees, values, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(both, sums, sizeof both, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(back.data(), data, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(of_pairs.data(), products, pairs * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    double sum = 0;
    for (int i = 0; i < 64; ++i) {
        const double exact = black_scholes(all[i], rate, volatility), mean = both[i].x / (16.0 * 256 * per) * exp(-rate * all[i].years);
        wrong += fabs(trees[i] - exact) > 0.01 * all[i].spot || fabs(mean - exact) > 0.02 * all[i].spot;
    }
    for (float x : in) sum += x;
    for (int p = 0; p < pairs; ++p) {
        double exact = 0;
        for (int i = 0; i < length; ++i) exact += (double)in[p * length + i] * in[p * length + i];
        wrong += !near(exact, of_pairs[p], 1e-4);
    }
    digest("walsh", back.data(), n * 4);
    digest("products", of_pairs.data(), pairs * 4);
    return verdict(wrong == 0 && near(sum, back[0], 1e-4), "options");
}
