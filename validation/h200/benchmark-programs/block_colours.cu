// Pictures pressed to two colours and sixteen pairs of bits a block: a group of 16 lanes for each block of 4x4 texels finds the line of
// its colours by power iterations, tries pairs of ends, and the best one wins a vote; then it is opened again and the error is added.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "../user-programs/digest.h"
namespace cg = cooperative_groups;

const int WIDE = 512, HIGH = 512, BLOCKS = WIDE * HIGH / 16, THREADS = 192;
struct Pressed { unsigned short low, high; unsigned bits; };

__host__ __device__ inline unsigned short packed(float r, float g, float b) {
    const auto to = [](float x, int most) { return int(fminf(fmaxf(x, 0), 1) * most + 0.5f); };
    return to(r, 31) << 11 | to(g, 63) << 5 | to(b, 31);
}
__host__ __device__ inline float3 opened(unsigned short c) {
    return make_float3((c >> 11) / 31.0f, (c >> 5 & 63) / 63.0f, (c & 31) / 31.0f);
}
__host__ __device__ inline int nearest(float3 texel, float3 low, float3 high, float& error) {
    int best = 0;
    error = 1e30f;
    for (int k = 0; k < 4; ++k) {
        const float t = k / 3.0f, dr = texel.x - low.x - t * (high.x - low.x), dg = texel.y - low.y - t * (high.y - low.y);
        const float db = texel.z - low.z - t * (high.z - low.z), own = dr * dr + dg * dg + db * db;
        if (own < error) error = own, best = k;
    }
    return best;
}
__global__ void press(const uchar4* picture, Pressed* out) {
    const auto group = cg::tiled_partition<16>(cg::this_thread_block());
    const int block = (blockIdx.x * THREADS + threadIdx.x) / 16, lane = group.thread_rank();
    if (block >= BLOCKS) return;
    const uchar4 raw = picture[(block / (WIDE / 4) * 4 + lane / 4) * WIDE + block % (WIDE / 4) * 4 + lane % 4];
    const float3 texel = make_float3(raw.x / 255.0f, raw.y / 255.0f, raw.z / 255.0f);
    const auto sum = [&](float x) { return cg::reduce(group, x, cg::plus<float>()); };
    const float3 mean = make_float3(sum(texel.x) / 16, sum(texel.y) / 16, sum(texel.z) / 16);
    const float x = texel.x - mean.x, y = texel.y - mean.y, z = texel.z - mean.z;
    const float xx = sum(x * x), xy = sum(x * y), xz = sum(x * z), yy = sum(y * y), yz = sum(y * z), zz = sum(z * z);
    float3 line = make_float3(1, 1, 1);
    for (int round = 0; round < 8; ++round) {
        const float3 next = make_float3(xx * line.x + xy * line.y + xz * line.z, xy * line.x + yy * line.y + yz * line.z, xz * line.x + yz * line.y + zz * line.z);
        const float most = fmaxf(fmaxf(fabsf(next.x), fabsf(next.y)), fmaxf(fabsf(next.z), 1e-8f));
        line = make_float3(next.x / most, next.y / most, next.z / most);
    }
    const float length = fmaxf(line.x * line.x + line.y * line.y + line.z * line.z, 1e-8f);
    const float along = (x * line.x + y * line.y + z * line.z) / length;
    const float least = cg::reduce(group, along, cg::less<float>()), most = cg::reduce(group, along, cg::greater<float>());
    // each lane tries ends of its own, a little inside of those found
    const float from = least + (most - least) * 0.06f * (lane % 4), to = most - (most - least) * 0.06f * (lane / 4);
    const unsigned short low = packed(mean.x + from * line.x, mean.y + from * line.y, mean.z + from * line.z);
    const unsigned short high = packed(mean.x + to * line.x, mean.y + to * line.y, mean.z + to * line.z);
    float error = 0;
    unsigned bits = 0;
    const float3 low_colour = opened(low), high_colour = opened(high);
    for (int k = 0; k < 16; ++k) {
        const float3 other = make_float3(group.shfl(texel.x, k), group.shfl(texel.y, k), group.shfl(texel.z, k));
        float own;
        bits |= nearest(other, low_colour, high_colour, own) << 2 * k;
        error += own;
    }
    const float smallest = cg::reduce(group, error, cg::less<float>());
    const unsigned winners = group.ballot(error == smallest);
    if (lane == __ffs(winners) - 1) out[block] = {low, high, bits};
}
__global__ void open_blocks(const Pressed* blocks, uchar4* picture) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const Pressed block = blocks[y / 4 * (WIDE / 4) + x / 4];
    const float3 low = opened(block.low), high = opened(block.high);
    const float t = (block.bits >> 2 * (y % 4 * 4 + x % 4) & 3) / 3.0f;
    const auto byte = [](float v) { return (unsigned char)(v * 255 + 0.5f); };
    picture[y * WIDE + x] = make_uchar4(byte(low.x + t * (high.x - low.x)), byte(low.y + t * (high.y - low.y)), byte(low.z + t * (high.z - low.z)), 255);
}
__global__ void errors(const uchar4* a, const uchar4* b, unsigned long long* sum, unsigned* counts) {
    __shared__ unsigned found[64];
    if (threadIdx.x < 64) found[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long own = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < WIDE * HIGH; k += gridDim.x * blockDim.x) {
        const int r = a[k].x - b[k].x, g = a[k].y - b[k].y, c = a[k].z - b[k].z, all = r * r + g * g + c * c;
        own += all;
        atomicAdd(&found[min(all / 32, 63)], 1u);
    }
    for (int step = 16; step > 0; step /= 2) own += __shfl_down_sync(~0u, own, step);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], found[threadIdx.x]);
}

int main() {
    std::vector<uchar4> picture(WIDE * HIGH), back(WIDE * HIGH);
    Random random(31);
    for (int y = 0; y < HIGH; ++y)
        for (int x = 0; x < WIDE; ++x)
            picture[y * WIDE + x] = make_uchar4((x / 2 + random.next() % 24) & 255, (y / 2 + random.next() % 16) & 255, ((x + y) / 4 + random.next() % 8) & 255, 255);
    uchar4 *in, *out;
    Pressed* pressed;
    unsigned long long* sum;
    unsigned* counts;
    CHECK(cudaMalloc(&in, picture.size() * 4));
    CHECK(cudaMalloc(&out, picture.size() * 4));
    CHECK(cudaMalloc(&pressed, BLOCKS * sizeof(Pressed)));
    CHECK(cudaMalloc(&sum, 8));
    CHECK(cudaMalloc(&counts, 64 * 4));
    CHECK(cudaMemset(sum, 0, 8));
    CHECK(cudaMemset(counts, 0, 64 * 4));
    CHECK(cudaMemcpy(in, picture.data(), picture.size() * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    press<<<(BLOCKS * 16 + THREADS - 1) / THREADS, THREADS>>>(in, pressed);
    open_blocks<<<dim3(WIDE / 32, HIGH / 8), dim3(32, 8)>>>(pressed, out);
    errors<<<132, 256>>>(in, out, sum, counts);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<Pressed> blocks(BLOCKS);
    unsigned long long found, ours = 0;
    unsigned counted[64];
    CHECK(cudaMemcpy(blocks.data(), pressed, BLOCKS * sizeof(Pressed), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(back.data(), out, back.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&found, sum, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counted, counts, sizeof counted, cudaMemcpyDeviceToHost));
    int wrong = 0;
    unsigned texels = 0;
    for (int k = 0; k < WIDE * HIGH; ++k) {
        const int r = picture[k].x - back[k].x, g = picture[k].y - back[k].y, c = picture[k].z - back[k].z;
        ours += r * r + g * g + c * c;
        const Pressed& block = blocks[k / WIDE / 4 * (WIDE / 4) + k % WIDE / 4];
        float error;
        const float3 texel = make_float3(picture[k].x / 255.0f, picture[k].y / 255.0f, picture[k].z / 255.0f);
        const float3 low = opened(block.low), high = opened(block.high);
        nearest(texel, low, high, error);
        const float t = (block.bits >> 2 * (k / WIDE % 4 * 4 + k % 4) & 3) / 3.0f;
        const float dr = texel.x - low.x - t * (high.x - low.x), dg = texel.y - low.y - t * (high.y - low.y), db = texel.z - low.z - t * (high.z - low.z);
        wrong += dr * dr + dg * dg + db * db > error + 1e-5f;
    }
    for (unsigned each : counted) texels += each;
    printf("mean squared error %.4f\n", double(found) / (WIDE * HIGH));
    digest("pressed", blocks.data(), BLOCKS * sizeof(Pressed));
    return verdict(wrong == 0 && found == ours && texels == WIDE * HIGH && double(found) / (WIDE * HIGH) < 150, "block_colours");
}
