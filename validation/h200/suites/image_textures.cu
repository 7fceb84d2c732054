// In the manner of CUDA's samples: an image in an array, read through textures, written through a surface.
#include "../programs/check.h"
__global__ void rotate(cudaTextureObject_t t, float* out, int n, float c, float s) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float u = (x + 0.5f) / n - 0.5f, v = (y + 0.5f) / n - 0.5f;
    out[y * n + x] = tex2D<float>(t, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}
__global__ void sobel(cudaTextureObject_t t, cudaSurfaceObject_t s, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float p[3][3];
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) p[j][i] = tex2D<float>(t, x + i - 1, y + j - 1);
    const float h = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    const float v = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    surf2Dwrite(fabsf(h) + fabsf(v), s, x * 4, y);
}
__global__ void gather(cudaTextureObject_t t, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(t, index[i]);
}
cudaTextureObject_t texture(const cudaResourceDesc& resource, bool linear, bool normalized) {
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.normalizedCoords = normalized;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    return t;
}
int main() {
    const int n = 512;
    std::vector<float> image(n * n), got(n * n);
    std::vector<int> index(n * n);
    Random random(15);
    for (int i = 0; i < n * n; ++i) image[i] = random.next() % 256, index[i] = random.next() % (n * n);
    cudaArray_t in, out;
    auto format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&in, &format, n, n));
    CHECK(cudaMallocArray(&out, &format, n, n, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(in, 0, 0, image.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
    float *o, *linear;
    int* at;
    CHECK(cudaMalloc(&o, n * n * 4));
    CHECK(cudaMalloc(&linear, n * n * 4));
    CHECK(cudaMalloc(&at, n * n * 4));
    CHECK(cudaMemcpy(linear, image.data(), n * n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(at, index.data(), n * n * 4, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = in;
    const dim3 blocks(n / 16, n / 16), threads(16, 16);
    const auto points = texture(resource, false, false), smooth = texture(resource, true, true);
    resource.res.array.array = out;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    sobel<<<blocks, threads>>>(points, surface, n);
    CHECK(cudaMemcpy2DFromArray(got.data(), n * 4, out, 0, 0, n * 4, n, cudaMemcpyDeviceToHost));
    auto pixel = [&](int x, int y) { return image[std::min(std::max(y, 0), n - 1) * n + std::min(std::max(x, 0), n - 1)]; };
    bool right = true;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const float h = pixel(x + 1, y - 1) + 2 * pixel(x + 1, y) + pixel(x + 1, y + 1) - pixel(x - 1, y - 1) - 2 * pixel(x - 1, y) - pixel(x - 1, y + 1);
            const float v = pixel(x - 1, y + 1) + 2 * pixel(x, y + 1) + pixel(x + 1, y + 1) - pixel(x - 1, y - 1) - 2 * pixel(x, y - 1) - pixel(x + 1, y - 1);
            right = right && got[y * n + x] == fabsf(h) + fabsf(v);
        }
    rotate<<<blocks, threads>>>(smooth, o, n, 0, 1);  // a quarter turn: every pixel is met in its middle
    CHECK(cudaMemcpy(got.data(), o, n * n * 4, cudaMemcpyDeviceToHost));
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) right = right && fabsf(got[y * n + x] - image[x * n + (n - 1 - y)]) <= 2;
    rotate<<<blocks, threads>>>(smooth, o, n, 0.8f, 0.6f);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = n * n * 4;
    gather<<<n * n / 256, 256>>>(texture(resource, false, false), at, o, n * n);
    CHECK(cudaMemcpy(got.data(), o, n * n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * n; ++i) right = right && got[i] == image[index[i]];
    return verdict(right, "image_textures");
}
