// Disparities of a pair of pictures: squared differences of textures of one-byte texels in windows by running sums, census
// transforms of 5x5 neighbours and their Hamming distances, and a median of nine; the border of a texture counts as grey.
#include <algorithm>

#include "../user-programs/digest.h"

const int WIDE = 640, HIGH = 384, DISPARITIES = 24, RADIUS = 4, TILE = 32, ROWS = 24;

// Sums of columns in shared memory, moved down by one row at a time; each block has TILE columns and ROWS rows.
__global__ void differences(cudaTextureObject_t left, cudaTextureObject_t right, unsigned* best, unsigned char* disparity) {
    __shared__ unsigned columns[TILE + 2 * RADIUS];
    const int x = blockIdx.x * TILE + threadIdx.x - RADIUS, top = blockIdx.y * ROWS;
    for (int d = 0; d < DISPARITIES; ++d) {
        unsigned sum = 0;
        for (int k = -RADIUS; k <= RADIUS; ++k) {
            const int a = tex2D<unsigned char>(left, x, top + k), b = tex2D<unsigned char>(right, x - d, top + k);
            sum += (a - b) * (a - b);
        }
        for (int row = 0; row < ROWS; ++row) {
            columns[threadIdx.x] = sum;
            __syncthreads();
            const int y = top + row;
            if (threadIdx.x >= RADIUS && threadIdx.x < TILE + RADIUS && x < WIDE && y < HIGH) {
                unsigned window = 0;
                for (int k = -RADIUS; k <= RADIUS; ++k) window += columns[threadIdx.x + k];
                if (d == 0 || window < best[y * WIDE + x]) best[y * WIDE + x] = window, disparity[y * WIDE + x] = d;
            }
            int a = tex2D<unsigned char>(left, x, y - RADIUS), b = tex2D<unsigned char>(right, x - d, y - RADIUS);
            sum -= (a - b) * (a - b);
            a = tex2D<unsigned char>(left, x, y + RADIUS + 1), b = tex2D<unsigned char>(right, x - d, y + RADIUS + 1);
            sum += (a - b) * (a - b);
            __syncthreads();
        }
    }
}
__global__ void census(cudaTextureObject_t picture, unsigned* words) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDE || y >= HIGH) return;
    const float middle = tex2D<float>(picture, x + 0.5f, y + 0.5f);
    unsigned word = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
            if (i || j) word = word << 1 | (tex2D<float>(picture, x + i + 0.5f, y + j + 0.5f) < middle);
    words[y * WIDE + x] = word;
}
__global__ void hamming(const unsigned* left, const unsigned* right, unsigned char* disparity) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= WIDE) return;
    int best = 1000, at = 0;
    for (int d = 0; d < DISPARITIES && d <= x; ++d) {
        int cost = 0;
        for (int i = -1; i <= 1; ++i) {
            const int xl = min(max(x + i, 0), WIDE - 1), xr = min(max(x + i - d, 0), WIDE - 1);
            cost += __popc(left[y * WIDE + xl] ^ right[y * WIDE + xr]);
        }
        if (cost < best) best = cost, at = d;
    }
    disparity[y * WIDE + x] = at;
}
__host__ __device__ inline void order(unsigned char& a, unsigned char& b) {
    const unsigned char low = a < b ? a : b;
    b = a < b ? b : a, a = low;
}
__host__ __device__ inline unsigned char middle_of_nine(unsigned char (&p)[9]) {
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[1]), order(p[3], p[4]), order(p[6], p[7]);
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[3]), order(p[5], p[8]), order(p[4], p[7]);
    order(p[3], p[6]), order(p[1], p[4]), order(p[2], p[5]), order(p[4], p[7]), order(p[4], p[2]), order(p[6], p[4]);
    order(p[4], p[2]);
    return p[4];
}
__global__ void median(const unsigned char* in, unsigned char* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDE || y >= HIGH) return;
    unsigned char p[9];
    for (int k = 0; k < 9; ++k)
        p[k] = in[min(max(y + k / 3 - 1, 0), HIGH - 1) * WIDE + min(max(x + k % 3 - 1, 0), WIDE - 1)];
    out[y * WIDE + x] = middle_of_nine(p);
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureReadMode read) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = mode;
    how.readMode = read;
    how.borderColor[0] = 1.0f;
    cudaTextureObject_t made;
    CHECK(cudaCreateTextureObject(&made, &what, &how, nullptr));
    return made;
}

int main() {
    std::vector<unsigned char> picture[2];
    Random random(11);
    std::vector<unsigned char> scene(WIDE * HIGH * 2);
    for (auto& texel : scene) texel = random.next() & 255;
    for (int side = 0; side < 2; ++side)
        for (int y = 0; y < HIGH; ++y)
            for (int x = 0; x < WIDE; ++x) {
                const int depth = 3 + 9 * (y / 128) + 3 * ((x / 160) % 2);
                picture[side].push_back(scene[y * 2 * WIDE + x + (side ? depth : 0) + 32]);
            }
    cudaArray_t arrays[2];
    cudaTextureObject_t clamped[2], bordered[2];
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    for (int side = 0; side < 2; ++side) {
        CHECK(cudaMallocArray(&arrays[side], &bytes, WIDE, HIGH));
        CHECK(cudaMemcpy2DToArray(arrays[side], 0, 0, picture[side].data(), WIDE, WIDE, HIGH, cudaMemcpyHostToDevice));
        clamped[side] = texture_of(arrays[side], cudaAddressModeClamp, cudaReadModeElementType);
        bordered[side] = texture_of(arrays[side], cudaAddressModeBorder, cudaReadModeNormalizedFloat);
    }
    unsigned *best, *words[2];
    unsigned char *disparity, *smooth, *second;
    CHECK(cudaMalloc(&best, WIDE * HIGH * 4));
    for (auto& each : words) CHECK(cudaMalloc(&each, WIDE * HIGH * 4));
    for (auto each : {&disparity, &smooth, &second}) CHECK(cudaMalloc(each, WIDE * HIGH));
    Elapsed elapsed;
    differences<<<dim3(WIDE / TILE, HIGH / ROWS), TILE + 2 * RADIUS>>>(clamped[0], clamped[1], best, disparity);
    const dim3 block(32, 8), grid(WIDE / 32, HIGH / 8);
    median<<<grid, block>>>(disparity, smooth);
    for (int side = 0; side < 2; ++side) census<<<grid, block>>>(bordered[side], words[side]);
    hamming<<<dim3(WIDE / 128, HIGH), 128>>>(words[0], words[1], second);
    CHECK(cudaGetLastError());
    elapsed.print();
    std::vector<unsigned char> first(WIDE * HIGH), smoothed(WIDE * HIGH), by_census(WIDE * HIGH);
    std::vector<unsigned> census_words(WIDE * HIGH);
    CHECK(cudaMemcpy(first.data(), disparity, WIDE * HIGH, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(smoothed.data(), smooth, WIDE * HIGH, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(by_census.data(), second, WIDE * HIGH, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(census_words.data(), words[1], WIDE * HIGH * 4, cudaMemcpyDeviceToHost));
    const auto texel = [&](int side, int x, int y) -> int {
        return picture[side][std::clamp(y, 0, HIGH - 1) * WIDE + std::clamp(x, 0, WIDE - 1)];
    };
    int wrong = 0, found = 0;
    for (int y = 0; y < HIGH; y += 5)
        for (int x = 0; x < WIDE; x += 7) {
            unsigned least = ~0u;
            int at = 0;
            for (int d = 0; d < DISPARITIES; ++d) {
                unsigned sum = 0;
                for (int j = -RADIUS; j <= RADIUS; ++j)
                    for (int i = -RADIUS; i <= RADIUS; ++i) {
                        const int off = texel(0, x + i, y + j) - texel(1, x + i - d, y + j);
                        sum += off * off;
                    }
                if (sum < least) least = sum, at = d;
            }
            wrong += at != first[y * WIDE + x];
            unsigned char p[9];
            for (int k = 0; k < 9; ++k)
                p[k] = first[std::clamp(y + k / 3 - 1, 0, HIGH - 1) * WIDE + std::clamp(x + k % 3 - 1, 0, WIDE - 1)];
            wrong += middle_of_nine(p) != smoothed[y * WIDE + x];
            unsigned word = 0;  // beyond the border a texel is 1, which is below none
            for (int j = -2; j <= 2; ++j)
                for (int i = -2; i <= 2; ++i) {
                    const bool inside = x + i >= 0 && x + i < WIDE && y + j >= 0 && y + j < HIGH;
                    if (i || j) word = word << 1 | (inside && texel(1, x + i, y + j) < texel(1, x, y));
                }
            wrong += word != census_words[y * WIDE + x];
            found += by_census[y * WIDE + x] == 3 + 9 * (y / 128) + 3 * ((x / 160) % 2);
        }
    digest("differences", first.data(), first.size());
    digest("median", smoothed.data(), smoothed.size());
    digest("census", by_census.data(), by_census.size());
    return verdict(wrong == 0 && found > 5000, "stereo");
}
