// In the manner of CUDA's simpleTexture3D, simpleLayeredTexture, simpleCubemapTexture and volumeFiltering.
#include "../programs/check.h"
#include <cstring>
constexpr int S = 64;
__global__ void slice(float* out, cudaTextureObject_t t, float w) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * 256 + x] = tex3D<float>(t, x / 256.0f, y / 256.0f, w);
}
__global__ void layers(float* out, cudaTextureObject_t t, int layer) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[(layer * S + y) * S + x] = -tex2DLayered<float>(t, (x + 0.5f) / S, (y + 0.5f) / S, layer) + layer;
}
__global__ void faces(float* out, cudaTextureObject_t t) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float u = (x + 0.5f) / S * 2 - 1, v = (y + 0.5f) / S * 2 - 1;
    for (int face = 0; face < 6; ++face) {
        float cx, cy, cz;
        if (face == 0) cx = 1, cy = -v, cz = -u;
        else if (face == 1) cx = -1, cy = -v, cz = u;
        else if (face == 2) cx = u, cy = 1, cz = v;
        else if (face == 3) cx = u, cy = -1, cz = -v;
        else if (face == 4) cx = u, cy = -v, cz = 1;
        else cx = -u, cy = -v, cz = -1;
        out[(face * S + y) * S + x] = -texCubemap<float>(t, cx, cy, cz);
    }
}
__global__ void blur(cudaTextureObject_t t, cudaSurfaceObject_t s) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    float sum = 0;
    for (int k = -1; k <= 1; ++k) sum += tex3D<float>(t, x + 0.5f, y + 0.5f, z + k + 0.5f);
    surf3Dwrite(sum / 3, s, x * 4, y, z, cudaBoundaryModeTrap);
}
static cudaArray_t filled(const void* data, int w, int h, int d, unsigned flags, cudaChannelFormatDesc format, int bytes) {
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void*)data, w * bytes, w, h);
    copy.dstArray = array, copy.extent = make_cudaExtent(w, h, d), copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}
static cudaTextureObject_t texture(cudaArray_t array, bool normal, cudaTextureFilterMode filter, cudaTextureReadMode read, cudaTextureAddressMode address) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = normal, how.filterMode = filter, how.readMode = read;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = address;
    cudaTextureObject_t result;
    CHECK(cudaCreateTextureObject(&result, &resource, &how, nullptr));
    return result;
}
int main() {
    Random random(29);
    std::vector<unsigned char> volume(S * S * S);
    for (auto& v : volume) v = random.next() % 256;
    std::vector<float> six(6 * S * S), got(256 * 256), cube(S * S * S);
    for (size_t i = 0; i < six.size(); ++i) six[i] = i;
    for (auto& v : cube) v = random.real();
    float *out, *many;
    CHECK(cudaMalloc(&out, 256 * 256 * 4)); CHECK(cudaMalloc(&many, 6 * S * S * 4));
    const dim3 block(16, 16);
    bool right = true;
    cudaArray_t a = filled(volume.data(), S, S, S, 0, cudaCreateChannelDesc<unsigned char>(), 1);
    cudaTextureObject_t t = texture(a, true, cudaFilterModeLinear, cudaReadModeNormalizedFloat, cudaAddressModeWrap);
    slice<<<dim3(16, 16), block>>>(out, t, 0.5f);
    CHECK(cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) {
            const float fx = x / 4.0f - 0.5f, fy = y / 4.0f - 0.5f, fz = 31.5f;
            const int ix = floorf(fx), iy = floorf(fy), iz = floorf(fz);
            float want = 0;
            for (int k = 0; k < 8; ++k) {
                const int px = (ix + (k & 1) + S) % S, py = (iy + (k >> 1 & 1) + S) % S, pz = (iz + (k >> 2) + S) % S;
                want += volume[(pz * S + py) * S + px] / 255.0f * (k & 1 ? fx - ix : 1 - fx + ix) * (k & 2 ? fy - iy : 1 - fy + iy) * (k & 4 ? fz - iz : 1 - fz + iz);
            }
            right = right && fabs(got[y * 256 + x] - want) < 0.01;
        }
    printf("3D %d\n", right);
    a = filled(six.data(), S, S, 6, cudaArrayLayered, cudaCreateChannelDesc<float>(), 4);
    t = texture(a, true, cudaFilterModePoint, cudaReadModeElementType, cudaAddressModeWrap);
    for (int k = 0; k < 6; ++k) layers<<<dim3(S / 16, S / 16), block>>>(many, t, k);
    std::vector<float> back(6 * S * S);
    CHECK(cudaMemcpy(back.data(), many, back.size() * 4, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < back.size(); ++i) right = right && back[i] == -six[i] + i / (S * S);
    printf("layers %d\n", right);
    a = filled(six.data(), S, S, 6, cudaArrayCubemap, cudaCreateChannelDesc<float>(), 4);
    t = texture(a, true, cudaFilterModePoint, cudaReadModeElementType, cudaAddressModeWrap);
    faces<<<dim3(S / 16, S / 16), block>>>(many, t);
    CHECK(cudaMemcpy(back.data(), many, back.size() * 4, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < back.size(); ++i) right = right && back[i] == -six[i];
    printf("faces %d\n", right);
    a = filled(cube.data(), S, S, S, cudaArraySurfaceLoadStore, cudaCreateChannelDesc<float>(), 4);
    cudaArray_t b = filled(cube.data(), S, S, S, cudaArraySurfaceLoadStore, cudaCreateChannelDesc<float>(), 4);
    t = texture(a, false, cudaFilterModePoint, cudaReadModeElementType, cudaAddressModeClamp);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = b;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &resource));
    blur<<<dim3(S / 16, S / 16, S), block>>>(t, s);
    std::vector<float> result(cube.size());
    cudaMemcpy3DParms copy = {};
    copy.srcArray = b, copy.dstPtr = make_cudaPitchedPtr(result.data(), S * 4, S, S), copy.extent = make_cudaExtent(S, S, S), copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int i = 0; i < S * S * S; ++i) {
        const int z = i / (S * S), r = i % (S * S);
        right = right && near(result[i], (cube[std::max(z - 1, 0) * S * S + r] + cube[i] + cube[std::min(z + 1, S - 1) * S * S + r]) / 3, 1e-5);
    }
    CHECK(cudaDestroySurfaceObject(s)); CHECK(cudaDestroyTextureObject(t));
    return verdict(right, "volume_textures");
}
