// A game of life that goes from one surface to the other, and slices of a volume by a texture of three dimensions.
#include "digest.h"

__global__ void step(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) alive += surf2Dread<unsigned char>(from, x + dx, y + dy, cudaBoundaryModeZero);
    const unsigned char own = surf2Dread<unsigned char>(from, x, y);
    const unsigned char next = alive == 3 || (alive == 2 && own);
    surf2Dwrite(next, to, x, y);
}
__global__ void slice(cudaTextureObject_t volume, float* to, int side, float4 normal) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float z = normal.x * x + normal.y * y + normal.w;
    to[y * side + x] = tex3D<float>(volume, x + 0.5f, y + 0.5f, z) + 2.0f * tex3D<float>(volume, x + 0.5f, z, y + 0.5f);
}
__global__ void layers(cudaTextureObject_t stack, float2* to, int side, int count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float2 sum = make_float2(0, 0);
    for (int layer = 0; layer < count; ++layer) {
        const float2 value = tex2DLayered<float2>(stack, x + 0.5f, y + 0.5f, layer);
        sum.x += value.x;
        sum.y += value.y * layer;
    }
    to[y * side + x] = sum;
}

static cudaArray_t square(int side, const void* data) {
    const auto format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, side, side, cudaArraySurfaceLoadStore));
    if (data) CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, data, side, side, side, cudaMemcpyHostToDevice));
    return array;
}
static cudaArray_t boxed(const cudaChannelFormatDesc& format, void* data, size_t bytes, cudaExtent shape, unsigned flags) {
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, shape, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data, shape.width * bytes, shape.width, shape.height);
    copy.dstArray = array;
    copy.extent = shape;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}
static cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = filter;
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    return object;
}

int main() {
    const int side = 512, steps = 12, cube = 64, stack = 6;
    Random random(21);
    std::vector<unsigned char> cells(side * side), next(side * side);
    for (auto& cell : cells) cell = random.next() % 3 == 0;
    cudaSurfaceObject_t surface[2];
    cudaArray_t array[2] = {square(side, cells.data()), square(side, nullptr)};
    for (int i = 0; i < 2; ++i) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array[i];
        CHECK(cudaCreateSurfaceObject(&surface[i], &resource));
    }
    Elapsed elapsed;
    for (int i = 0; i < steps; ++i)
        step<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(surface[i % 2], surface[(i + 1) % 2], side);
    elapsed.print();
    std::vector<unsigned char> result(side * side);
    CHECK(cudaMemcpy2DFromArray(result.data(), side, array[steps % 2], 0, 0, side, side, cudaMemcpyDeviceToHost));
    for (int i = 0; i < steps; ++i) {
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                int alive = 0;
                for (int v = y - 1; v <= y + 1; ++v)
                    for (int u = x - 1; u <= x + 1; ++u)
                        if (u >= 0 && v >= 0 && u < side && v < side && (u != x || v != y)) alive += cells[v * side + u];
                next[y * side + x] = alive == 3 || (alive == 2 && cells[y * side + x]);
            }
        cells.swap(next);
    }
    bool right = result == cells;

    std::vector<float> values(cube * cube * cube);
    for (int i = 0; i < cube * cube * cube; ++i) values[i] = i % cube + 2 * (i / cube % cube) - 3 * (i / cube / cube);
    const auto volume = boxed(cudaCreateChannelDesc<float>(), values.data(), 4, make_cudaExtent(cube, cube, cube), 0);
    float *plane, picture[cube * cube];
    CHECK(cudaMalloc(&plane, sizeof picture));
    slice<<<dim3(cube / 32, cube / 8), dim3(32, 8)>>>(texture(volume, cudaFilterModeLinear), plane, cube,
                                                      make_float4(0.25f, 0.5f, 0, 8.0f));
    CHECK(cudaMemcpy(picture, plane, sizeof picture, cudaMemcpyDeviceToHost));
    for (int y = 0; y < cube; ++y)
        for (int x = 0; x < cube; ++x) {
            const float z = 0.25f * x + 0.5f * y + 8.0f - 0.5f;
            const float expected = (x + 2 * y - 3 * z) + 2 * (x + 2 * z - 3 * y);
            right &= fabs(picture[y * cube + x] - expected) < 0.02;
        }

    std::vector<float2> pairs(size_t(side) * side * stack), sums(side * side);
    for (auto& pair : pairs) pair = make_float2(random.next() % 100, random.next() % 50);
    const auto shape = make_cudaExtent(side, side, stack);
    const auto array2 = boxed(cudaCreateChannelDesc<float2>(), pairs.data(), 8, shape, cudaArrayLayered);
    float2* added;
    CHECK(cudaMalloc(&added, sums.size() * sizeof(float2)));
    layers<<<dim3(side / 128, side), 128>>>(texture(array2, cudaFilterModePoint), added, side, stack);
    CHECK(cudaMemcpy(sums.data(), added, sums.size() * sizeof(float2), cudaMemcpyDeviceToHost));
    for (int i = 0; i < side * side; ++i) {
        float2 sum = make_float2(0, 0);
        for (int k = 0; k < stack; ++k)
            sum.x += pairs[size_t(k) * side * side + i].x, sum.y += k * pairs[size_t(k) * side * side + i].y;
        right &= sum.x == sums[i].x && sum.y == sums[i].y;
    }
    digest("cells", result.data(), result.size());
    digest("slice", picture, sizeof picture);
    digest("sums", sums.data(), sums.size() * sizeof(float2));
    return verdict(right, "life_surfaces");
}
