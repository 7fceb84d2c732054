// An image is turned by a texture with a linear filter, and a surface takes the result; the host does the same.
#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int width = 96, height = 64;

__global__ void turn(cudaTextureObject_t image, cudaSurfaceObject_t result, float c, float s) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x - width / 2, v = y - height / 2;
    const float value = tex2D<float>(image, c * u - s * v + width / 2 + 0.5f, s * u + c * v + height / 2 + 0.5f);
    surf2Dwrite(value, result, x * 4, y);
}

int main() {
    std::vector<float> image(width * height), turned(width * height);
    for (int k = 0; k < width * height; ++k) image[k] = static_cast<float>(k * 37 % 101) / 101;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t from, to;
    CHECK(cudaMallocArray(&from, &format, width, height));
    CHECK(cudaMallocArray(&to, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(from, 0, 0, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = from;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    resource.res.array.array = to;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    turn<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(texture, surface, 0.0f, 1.0f);  // a quarter: no weights
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(turned.data(), width * 4, to, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int u = height / 2 - y + width / 2, v = x - width / 2 + height / 2;
            const float wanted = v >= 0 && v < height ? image[v * width + u] : 0;
            wrong += std::fabs(turned[y * width + x] - wanted) > 1e-6f;
        }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
