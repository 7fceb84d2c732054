// A wavelet of several levels on rows and columns, thresholds, and a histogram of what is left; results to a file if asked.
// Arguments: side, levels, output file.
#include <algorithm>
#include <fstream>

#include "digest.h"

__global__ void rows(const int* from, int* to, int pitch, int width) {
    extern __shared__ int line[];
    for (int i = threadIdx.x; i < width; i += blockDim.x) line[i] = from[blockIdx.x * pitch + i];
    __syncthreads();
    for (int i = threadIdx.x; i < width / 2; i += blockDim.x) {
        const int next = line[i + 1 < width / 2 ? 2 * i + 2 : 2 * i];
        const int detail = line[2 * i + 1] - ((line[2 * i] + next) >> 1);
        to[blockIdx.x * pitch + width / 2 + i] = detail;
        const int before = i > 0 ? line[2 * i - 1] - ((line[2 * i - 2] + line[2 * i]) >> 1) : detail;
        to[blockIdx.x * pitch + i] = line[2 * i] + ((before + detail + 2) >> 2);
    }
}
__global__ void columns(const int* from, int* to, int pitch, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= height / 2) return;
    auto at = [&](int y) { return from[y * pitch + x]; };
    auto detail_of = [&](int k) { return at(2 * k + 1) - ((at(2 * k) + at(k + 1 < height / 2 ? 2 * k + 2 : 2 * k)) >> 1); };
    const int detail = detail_of(i), before = i > 0 ? detail_of(i - 1) : detail;
    to[(height / 2 + i) * pitch + x] = detail;
    to[i * pitch + x] = at(2 * i) + ((before + detail + 2) >> 2);
}
__global__ void threshold(int* data, int n, int least, unsigned* bins) {
    __shared__ unsigned own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int value = data[i];
        if (abs(value) < least) data[i] = value = 0;
        atomicAdd(&own[min(63, abs(value) / 4)], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64 && own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static void lift(std::vector<int>& line) {
    const int half = line.size() / 2;
    std::vector<int> low(half), high(half);
    for (int i = 0; i < half; ++i) high[i] = line[2 * i + 1] - ((line[2 * i] + line[i + 1 < half ? 2 * i + 2 : 2 * i]) >> 1);
    for (int i = 0; i < half; ++i) low[i] = line[2 * i] + ((high[i > 0 ? i - 1 : 0] + high[i] + 2) >> 2);
    for (int i = 0; i < half; ++i) line[i] = low[i], line[half + i] = high[i];
}

int main(int count, char** given) {
    const int side = count > 1 ? atoi(given[1]) : 1024, levels = count > 2 ? atoi(given[2]) : 4, n = side * side;
    Random random(99);
    std::vector<int> image(n), result(n);
    for (int i = 0; i < n; ++i) image[i] = (i % side + i / side) % 256 / 2 + random.next() % 20;
    int *a, *b;
    unsigned *bins, told[64];
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    CHECK(cudaMalloc(&bins, 256));
    CHECK(cudaMemset(bins, 0, 256));
    CHECK(cudaMemcpy(a, image.data(), n * 4, cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int level = 0, size = side; level < levels; ++level, size /= 2) {
        rows<<<size, 256, size * 4>>>(a, b, side, size);
        columns<<<dim3(size / 32, (size / 2 + 7) / 8), dim3(32, 8)>>>(b, a, side, size);
    }
    threshold<<<264, 256>>>(a, n, 6, bins);
    elapsed.print();
    CHECK(cudaMemcpy(result.data(), a, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(told, bins, 256, cudaMemcpyDeviceToHost));
    std::vector<unsigned> expected(64);
    for (int level = 0, size = side; level < levels; ++level, size /= 2) {
        std::vector<int> line(size);
        for (int y = 0; y < size; ++y) {
            std::copy_n(&image[y * side], size, line.begin());
            lift(line);
            std::copy(line.begin(), line.end(), &image[y * side]);
        }
        for (int x = 0; x < size; ++x) {
            for (int y = 0; y < size; ++y) line[y] = image[y * side + x];
            lift(line);
            for (int y = 0; y < size; ++y) image[y * side + x] = line[y];
        }
    }
    for (int& value : image) {
        if (abs(value) < 6) value = 0;
        ++expected[std::min(63, abs(value) / 4)];
    }
    if (count > 3) std::ofstream(given[3], std::ios::binary).write(reinterpret_cast<char*>(result.data()), n * 4);
    digest("bands", result.data(), n * 4);
    return verdict(result == image && std::equal(expected.begin(), expected.end(), told), "wavelet");
}
