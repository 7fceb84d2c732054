// Sobel and bilateral filters of an image in a texture, and its rotation, in the manner of CUDA's samples.
#include "../programs/check.h"
#include <algorithm>
__global__ void sobel(unsigned char* out, cudaTextureObject_t t, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float p[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) p[k] = tex2D<float>(t, x + k % 3 - 1 + 0.5f, y + k / 3 - 1 + 0.5f);
    const float gx = p[2] + 2 * p[5] + p[8] - p[0] - 2 * p[3] - p[6], gy = p[0] + 2 * p[1] + p[2] - p[6] - 2 * p[7] - p[8];
    out[y * w + x] = (unsigned char)fminf(255.0f, (fabsf(gx) + fabsf(gy)) / 2);
}
__global__ void bilateral(float* out, cudaTextureObject_t t, int w, int h, float scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float centre = tex2D<float>(t, x + 0.5f, y + 0.5f);
    float sum = 0, weights = 0;
    for (int dy = -4; dy <= 4; ++dy)
        for (int dx = -4; dx <= 4; ++dx) {
            const float v = tex2D<float>(t, x + dx + 0.5f, y + dy + 0.5f), d = v - centre;
            const float weight = __expf(-(dx * dx + dy * dy) / 16.0f - d * d * scale);
            sum += weight * v, weights += weight;
        }
    out[y * w + x] = sum / weights;
}
__global__ void rotate(float* out, cudaTextureObject_t t, int w, int h, float sine, float cosine) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float u = x - w / 2.0f, v = y - h / 2.0f;
    out[y * w + x] = tex2D<float>(t, u * cosine - v * sine + w / 2.0f + 0.5f, v * cosine + u * sine + h / 2.0f + 0.5f);
}
static cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = filter, how.readMode = cudaReadModeElementType;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t result;
    CHECK(cudaCreateTextureObject(&result, &resource, &how, nullptr));
    return result;
}
int main() {
    const int w = 1024, h = 1024;
    Random random(14);
    std::vector<float> in(w * h), got(w * h);
    for (auto& v : in) v = random.next() % 256;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, w, h));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    const cudaTextureObject_t point = texture(array, cudaFilterModePoint), linear = texture(array, cudaFilterModeLinear);
    float* out; unsigned char* edges;
    CHECK(cudaMalloc(&out, w * h * 4)); CHECK(cudaMalloc(&edges, w * h));
    const dim3 block(16, 16), grid(w / 16, h / 16);
    auto at = [&](int x, int y) { return in[std::min(std::max(y, 0), h - 1) * w + std::min(std::max(x, 0), w - 1)]; };
    Elapsed elapsed;
    for (int k = 0; k < 2; ++k) sobel<<<grid, block>>>(edges, point, w, h);
    std::vector<unsigned char> lines(w * h);
    CHECK(cudaMemcpy(lines.data(), edges, w * h, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 2; ++k) rotate<<<grid, block>>>(out, linear, w, h, 0.6f, 0.8f);
    for (int k = 0; k < 2; ++k) bilateral<<<grid, block>>>(out, point, w, h, 1e-3f);
    elapsed.print();
    CHECK(cudaMemcpy(got.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int y = 0; y < h; y += 19)
        for (int x = 0; x < w; x += 3) {
            float p[9], sum = 0, weights = 0;
            for (int k = 0; k < 9; ++k) p[k] = at(x + k % 3 - 1, y + k / 3 - 1);
            const float gx = p[2] + 2 * p[5] + p[8] - p[0] - 2 * p[3] - p[6], gy = p[0] + 2 * p[1] + p[2] - p[6] - 2 * p[7] - p[8];
            right = right && lines[y * w + x] == (unsigned char)std::min(255.0f, (fabsf(gx) + fabsf(gy)) / 2);
            for (int dy = -4; dy <= 4; ++dy)
                for (int dx = -4; dx <= 4; ++dx) {
                    const float v = at(x + dx, y + dy), d = v - p[4], weight = expf(-(dx * dx + dy * dy) / 16.0f - d * d * 1e-3f);
                    sum += weight * v, weights += weight;
                }
            right = right && near(sum / weights, got[y * w + x], 1e-3);
        }
    return verdict(right, "image_filters");
}
