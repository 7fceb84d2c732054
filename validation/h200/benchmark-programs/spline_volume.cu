// Cubic splines on a volume: a recursive filter turns samples into coefficients, one line of each direction by a thread, then the
// volume is moved and turned, by 64 loads, and by eight linear fetches of a texture; layers of a surface take the sums.
#include "../user-programs/digest.h"

const int N = 96;

__device__ __host__ inline float pole() { return sqrtf(3.0f) - 2.0f; }
__device__ __host__ inline void line_filter(float* c, int stride) {
    const float z = pole();
    float sum = c[0], power = z;
    for (int k = 1; k < 12; ++k) sum += power * c[k * stride], power *= z;
    c[0] = 6 * sum;
    for (int k = 1; k < N; ++k) c[k * stride] = 6 * c[k * stride] + z * c[(k - 1) * stride];
    c[(N - 1) * stride] *= z / (z - 1);
    for (int k = N - 2; k >= 0; --k) c[k * stride] = z * (c[(k + 1) * stride] - c[k * stride]);
}
__global__ void filter_x(float* volume) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
    if (y < N) line_filter(volume + (z * N + y) * N, 1);
}
__global__ void filter_y(float* volume) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
    if (x < N) line_filter(volume + z * N * N + x, N);
}
__global__ void filter_z(float* volume) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < N) line_filter(volume + y * N + x, N * N);
}
__device__ __host__ inline void weights(float t, float (&w)[4]) {
    const float u = 1 - t;
    w[0] = u * u * u / 6, w[1] = (4 - 3 * t * t * (2 - t)) / 6, w[2] = (4 - 3 * u * u * (2 - u)) / 6, w[3] = t * t * t / 6;
}
struct Motion { float turn[3][3], move[3]; };
__constant__ Motion motion;
__device__ __host__ inline void moved(const Motion& m, int x, int y, int z, float (&p)[3]) {
    const float c = 0.5f * (N - 1), at[3] = {x - c, y - c, z - c};
    for (int k = 0; k < 3; ++k) p[k] = m.turn[k][0] * at[0] + m.turn[k][1] * at[1] + m.turn[k][2] * at[2] + m.move[k] + c;
}
__device__ __host__ inline float sum_of_64(const float* volume, const float (&p)[3]) {
    int first[3];
    float w[3][4];
    for (int k = 0; k < 3; ++k) first[k] = (int)floorf(p[k]), weights(p[k] - first[k], w[k]);
    float sum = 0;
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 4; ++b)
            for (int a = 0; a < 4; ++a) {
                const int x = min(max(first[0] + a - 1, 0), N - 1), y = min(max(first[1] + b - 1, 0), N - 1);
                const int z = min(max(first[2] + c - 1, 0), N - 1);
                sum += w[0][a] * w[1][b] * w[2][c] * volume[(z * N + y) * N + x];
            }
    return sum;
}
__global__ void by_loads(const float* volume, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= N || y >= N) return;
    float p[3];
    moved(motion, x, y, z, p);
    out[(z * N + y) * N + x] = sum_of_64(volume, p);
}
__global__ void by_texture(cudaTextureObject_t volume, cudaSurfaceObject_t out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= N || y >= N) return;
    float p[3], low[3], high[3], share[3];
    moved(motion, x, y, z, p);
    for (int k = 0; k < 3; ++k) {
        const float first = floorf(p[k]);
        float w[4];
        weights(p[k] - first, w);
        share[k] = w[0] + w[1];
        low[k] = first - 0.5f + w[1] / (w[0] + w[1]), high[k] = first + 1.5f + w[3] / (w[2] + w[3]);
    }
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        const float each = (k & 1 ? 1 - share[0] : share[0]) * (k & 2 ? 1 - share[1] : share[1]) * (k & 4 ? 1 - share[2] : share[2]);
        sum += each * tex3D<float>(volume, k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
    }
    surf2DLayeredwrite(sum, out, x * (int)sizeof(float), y, z);
}
__global__ void differ(const float* a, cudaSurfaceObject_t b, float* most) {
    __shared__ float greatest[256];
    float own = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N * N * N; i += gridDim.x * 256) {
        float other;
        surf2DLayeredread(&other, b, i % N * (int)sizeof(float), i / N % N, i / N / N);
        own = fmaxf(own, fabsf(a[i] - other));
    }
    greatest[threadIdx.x] = own;
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) greatest[threadIdx.x] = fmaxf(greatest[threadIdx.x], greatest[threadIdx.x + step]);
    }
    if (threadIdx.x == 0) atomicMax((int*)most, __float_as_int(greatest[0]));
}

int main() {
    std::vector<float> samples(N * N * N);
    Random random(5);
    for (auto& each : samples) each = random.real();
    Motion host = {{{0.96f, -0.28f, 0}, {0.28f, 0.96f, 0}, {0, 0, 1}}, {1.25f, -2.5f, 0.75f}};
    CHECK(cudaMemcpyToSymbol(motion, &host, sizeof host));
    float *volume, *out, *most;
    CHECK(cudaMalloc(&volume, samples.size() * 4));
    CHECK(cudaMalloc(&out, samples.size() * 4));
    CHECK(cudaMalloc(&most, 4));
    CHECK(cudaMemset(most, 0, 4));
    CHECK(cudaMemcpy(volume, samples.data(), samples.size() * 4, cudaMemcpyHostToDevice));
    cudaArray_t texels, layers;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&texels, &floats, make_cudaExtent(N, N, N)));
    CHECK(cudaMalloc3DArray(&layers, &floats, make_cudaExtent(N, N, N), cudaArrayLayered | cudaArraySurfaceLoadStore));
    Elapsed elapsed;
    const dim3 lines((N + 31) / 32, N);
    filter_x<<<lines, 32>>>(volume);
    filter_y<<<lines, 32>>>(volume);
    filter_z<<<lines, 32>>>(volume);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(volume, N * 4, N, N);
    copy.dstArray = texels;
    copy.extent = make_cudaExtent(N, N, N);
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = texels;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    what.res.array.array = layers;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &what));
    const dim3 block(16, 16), grid(N / 16, N / 16, N);
    by_loads<<<grid, block>>>(volume, out);
    by_texture<<<grid, block>>>(texture, surface);
    differ<<<132, 256>>>(out, surface, most);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<float> ours(samples), theirs(samples.size());
    for (int i = 0; i < N * N; ++i) line_filter(&ours[i * N], 1);
    for (int z = 0; z < N; ++z)
        for (int x = 0; x < N; ++x) line_filter(&ours[z * N * N + x], N);
    for (int i = 0; i < N * N; ++i) line_filter(&ours[i], N * N);
    float greatest;
    CHECK(cudaMemcpy(theirs.data(), out, theirs.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&greatest, most, 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < N * N * N; i += 37) {
        float p[3];
        moved(host, i % N, i / N % N, i / N / N, p);
        wrong += fabsf(sum_of_64(ours.data(), p) - theirs[i]) > 2e-4f;
    }
    digest("loads", theirs.data(), theirs.size() * 4);
    printf("greatest difference %g\n", greatest);
    return verdict(wrong == 0 && greatest > 0 && greatest < 0.1f, "spline_volume");
}
