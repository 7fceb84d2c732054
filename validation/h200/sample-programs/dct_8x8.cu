// In the manner of CUDA's dct8x8: an image from a texture is transformed by 8 x 8, quantised in 16 bits, and back.
#include "../programs/check.h"
#include <cstring>
constexpr int W = 512, H = 512;
__constant__ short table[64];
__constant__ float cosines[64];
__global__ void forward(float* out, int offx, int offy, cudaTextureObject_t source) {
    __shared__ float a[64], b[64];
    const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const float x = (bx * 8) + tx + 0.5f, y = (by * 8) + ty + 0.5f;
    a[ty * 8 + tx] = tex2D<float>(source, x + offx, y + offy) - 128;
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += cosines[ty * 8 + k] * a[k * 8 + tx];
    b[ty * 8 + tx] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += b[ty * 8 + k] * cosines[tx * 8 + k];
    out[(by * 8 + ty) * W + bx * 8 + tx] = sum;
}
__global__ void quantise(const float* in, short* out) {
    const int q = table[threadIdx.y * 8 + threadIdx.x], at = (blockIdx.y * 8 + threadIdx.y) * W + blockIdx.x * 8 + threadIdx.x;
    out[at] = short(rintf(in[at] / q) * q);
}
__global__ void inverse(const short* in, unsigned char* out, size_t pitch) {
    __shared__ float a[8][9], b[8][9];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    a[ty][tx] = in[y * W + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += cosines[k * 8 + ty] * a[k][tx];
    b[ty][tx] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; ++k) sum += b[ty][k] * cosines[k * 8 + tx];
    out[y * pitch + x] = (unsigned char)__float2uint_rn(fminf(fmaxf(sum + 128, 0), 255));
}
int main() {
    std::vector<unsigned char> image(W * H), got(W * H);
    std::vector<float> real(W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) image[y * W + x] = 128 + int(60 * sinf(x * 0.05f) + 50 * cosf(y * 0.031f)), real[y * W + x] = image[y * W + x];
    float c[64];
    short q[64];
    for (int i = 0; i < 64; ++i) c[i] = (i / 8 ? 0.5 : sqrt(0.125)) * cos((2 * (i % 8) + 1) * (i / 8) * M_PI / 16), q[i] = 4 + (i / 8 + i % 8);
    CHECK(cudaMemcpyToSymbol(table, q, sizeof q));
    CHECK(cudaMemcpyToSymbolAsync(cosines, c, sizeof c, 0, cudaMemcpyHostToDevice, 0));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, real.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap, how.filterMode = cudaFilterModePoint, how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float* planes; short* coefficients; unsigned char* out; size_t pitch = 0;
    CHECK(cudaMalloc(&planes, W * H * 4)); CHECK(cudaMalloc(&coefficients, W * H * 2)); CHECK(cudaMallocPitch(&out, &pitch, W, H));
    const dim3 grid(W / 8, H / 8), block(8, 8);
    Elapsed elapsed;
    forward<<<grid, block>>>(planes, 0, 0, texture);
    quantise<<<grid, block>>>(planes, coefficients);
    inverse<<<grid, block>>>(coefficients, out, pitch);
    elapsed.print();
    CHECK(cudaMemcpy2D(got.data(), W, out, pitch, W, H, cudaMemcpyDeviceToHost));
    double noise = 0;
    for (int i = 0; i < W * H; ++i) noise += (double(got[i]) - image[i]) * (double(got[i]) - image[i]);
    const double psnr = 10 * log10(255.0 * 255.0 * W * H / (noise + 1e-9));
    printf("psnr %.3f\n", psnr);
    CHECK(cudaDestroyTextureObject(texture)); CHECK(cudaFreeArray(array));
    return verdict(psnr > 40 && psnr < 70, "dct_8x8");
}
