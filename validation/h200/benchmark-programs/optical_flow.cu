// The motion between two pictures on four levels of a pyramid: pictures are halved, warped by textures with linear filters, derived,
// and a smooth motion is found by Jacobi iterations in shared memory; many small kernels, in two streams where they may overlap.
#include "../user-programs/digest.h"

const int WIDE = 512, HIGH = 384, LEVELS = 4, WARPS = 2, ROUNDS = 24;
const float ALPHA = 0.02f;

struct Level { int wide, high; float *first, *second, *u, *v, *du[2], *dv[2], *ix, *iy, *it; };
const dim3 BLOCK(32, 6);

__host__ __device__ inline int inside(int k, int n) { return k < 0 ? 0 : k >= n ? n - 1 : k; }
__global__ void halve(const float* in, int wide, int high, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide / 2 || y >= high / 2) return;
    const float* at = in + 2 * y * wide + 2 * x;
    out[y * (wide / 2) + x] = 0.25f * (at[0] + at[1] + at[wide] + at[wide + 1]);
}
__global__ void derive(Level level, cudaTextureObject_t second) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, w = level.wide;
    if (x >= w || y >= level.high) return;
    const int k = y * w + x;
    const float at_x = x + 0.5f + level.u[k], at_y = y + 0.5f + level.v[k];
    const float left = tex2D<float>(second, at_x - 1, at_y), right = tex2D<float>(second, at_x + 1, at_y);
    const float up = tex2D<float>(second, at_x, at_y - 1), down = tex2D<float>(second, at_x, at_y + 1);
    const float* first = level.first;
    const float here_x = first[y * w + inside(x + 1, w)] - first[y * w + inside(x - 1, w)];
    const float here_y = first[inside(y + 1, level.high) * w + x] - first[inside(y - 1, level.high) * w + x];
    level.ix[k] = 0.25f * (right - left + here_x);
    level.iy[k] = 0.25f * (down - up + here_y);
    level.it[k] = tex2D<float>(second, at_x, at_y) - first[k];
}
__global__ void iterate(Level level, int from) {
    __shared__ float us[8][34], vs[8][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 6 + threadIdx.y, w = level.wide, h = level.high;
    const float *du = level.du[from], *dv = level.dv[from];
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 8 * 34; k += 192) {
        const int i = inside(blockIdx.x * 32 + k % 34 - 1, w), j = inside(blockIdx.y * 6 + k / 34 - 1, h);
        us[k / 34][k % 34] = du[j * w + i], vs[k / 34][k % 34] = dv[j * w + i];
    }
    __syncthreads();
    if (x >= w || y >= h) return;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1, k = y * w + x;
    const float mean_u = 0.25f * (us[j][i - 1] + us[j][i + 1] + us[j - 1][i] + us[j + 1][i]);
    const float mean_v = 0.25f * (vs[j][i - 1] + vs[j][i + 1] + vs[j - 1][i] + vs[j + 1][i]);
    const float ix = level.ix[k], iy = level.iy[k];
    const float share = (ix * mean_u + iy * mean_v + level.it[k]) / (ALPHA * ALPHA + ix * ix + iy * iy);
    level.du[1 - from][k] = mean_u - ix * share;
    level.dv[1 - from][k] = mean_v - iy * share;
}
__global__ void add(Level level) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < level.wide * level.high) level.u[k] += level.du[0][k], level.v[k] += level.dv[0][k];
}
__global__ void enlarge(Level from, Level to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= to.wide || y >= to.high) return;
    to.u[y * to.wide + x] = 2 * from.u[y / 2 * from.wide + x / 2];
    to.v[y * to.wide + x] = 2 * from.v[y / 2 * from.wide + x / 2];
}
dim3 grid(const Level& level) { return dim3((level.wide + 31) / 32, (level.high + 5) / 6); }

int main() {
    std::vector<float> pictures[2];
    for (int side = 0; side < 2; ++side)
        for (int y = 0; y < HIGH; ++y)
            for (int x = 0; x < WIDE; ++x) {
                const float u = x - side * 3.0f, v = y + side * 2.0f;
                pictures[side].push_back(0.5f + 0.2f * sinf(0.061f * u + 0.03f * v) + 0.2f * cosf(0.043f * v - 0.02f * u) + 0.1f * sinf(0.19f * u) * cosf(0.17f * v));
            }
    Level levels[LEVELS];
    for (int l = 0; l < LEVELS; ++l) {
        Level& level = levels[l];
        level.wide = WIDE >> l, level.high = HIGH >> l;
        for (auto each : {&level.first, &level.second, &level.u, &level.v, &level.du[0], &level.du[1], &level.dv[0], &level.dv[1], &level.ix, &level.iy, &level.it})
            CHECK(cudaMalloc(each, level.wide * level.high * 4));
    }
    CHECK(cudaMemcpy(levels[0].first, pictures[0].data(), WIDE * HIGH * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(levels[0].second, pictures[1].data(), WIDE * HIGH * 4, cudaMemcpyHostToDevice));
    cudaStream_t side;
    cudaEvent_t halved;
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreateWithFlags(&halved, cudaEventDisableTiming));
    Elapsed elapsed;
    for (int l = 0; l + 1 < LEVELS; ++l) {
        halve<<<grid(levels[l + 1]), BLOCK>>>(levels[l].first, levels[l].wide, levels[l].high, levels[l + 1].first);
        halve<<<grid(levels[l + 1]), BLOCK, 0, side>>>(levels[l].second, levels[l].wide, levels[l].high, levels[l + 1].second);
    }
    CHECK(cudaEventRecord(halved, side));
    CHECK(cudaStreamWaitEvent(0, halved, 0));
    for (int l = LEVELS - 1; l >= 0; --l) {
        Level& level = levels[l];
        const int n = level.wide * level.high;
        cudaResourceDesc what = {};
        what.resType = cudaResourceTypePitch2D;
        what.res.pitch2D.devPtr = level.second;
        what.res.pitch2D.desc = cudaCreateChannelDesc<float>();
        what.res.pitch2D.width = level.wide, what.res.pitch2D.height = level.high, what.res.pitch2D.pitchInBytes = level.wide * 4;
        cudaTextureDesc how = {};
        how.filterMode = cudaFilterModeLinear;
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        cudaTextureObject_t second;
        CHECK(cudaCreateTextureObject(&second, &what, &how, nullptr));
        if (l == LEVELS - 1) {
            CHECK(cudaMemsetAsync(level.u, 0, n * 4));
            CHECK(cudaMemsetAsync(level.v, 0, n * 4));
        } else {
            enlarge<<<grid(level), BLOCK>>>(levels[l + 1], level);
        }
        for (int warp = 0; warp < WARPS; ++warp) {
            CHECK(cudaMemsetAsync(level.du[0], 0, n * 4));
            CHECK(cudaMemsetAsync(level.dv[0], 0, n * 4));
            derive<<<grid(level), BLOCK>>>(level, second);
            for (int round = 0; round < ROUNDS; ++round) iterate<<<grid(level), BLOCK>>>(level, round % 2);
            add<<<(n + 255) / 256, 256>>>(level);
        }
        CHECK(cudaDestroyTextureObject(second));
    }
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<float> u(WIDE * HIGH), v(WIDE * HIGH), small(WIDE * HIGH / 4);
    CHECK(cudaMemcpy(u.data(), levels[0].u, u.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(v.data(), levels[0].v, v.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(small.data(), levels[1].second, small.size() * 4, cudaMemcpyDeviceToHost));
    int wrong = 0, counted = 0;
    double sum_u = 0, sum_v = 0;
    for (int y = 48; y < HIGH - 48; ++y)
        for (int x = 48; x < WIDE - 48; ++x) sum_u += u[y * WIDE + x], sum_v += v[y * WIDE + x], ++counted;
    for (int y = 0; y < HIGH / 2; ++y)
        for (int x = 0; x < WIDE / 2; ++x) {
            const float* at = &pictures[1][2 * y * WIDE + 2 * x];
            wrong += fabsf(0.25f * (at[0] + at[1] + at[WIDE] + at[WIDE + 1]) - small[y * WIDE / 2 + x]) > 1e-6f;
        }
    printf("mean motion %.4f %.4f\n", sum_u / counted, sum_v / counted);
    digest("halves", small.data(), small.size() * 4);
    digest("u", u.data(), u.size() * 4);
    return verdict(wrong == 0 && fabs(sum_u / counted - 3) < 0.2 && fabs(sum_v / counted + 2) < 0.2, "optical_flow");
}
