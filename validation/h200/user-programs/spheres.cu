// Rays at spheres in constant memory; the background is a texture with linear filter, the picture a surface.
#include "digest.h"

struct Sphere {
    float3 centre;
    float radius;
    uchar4 colour;
};
constexpr int SPHERES = 24;
__constant__ Sphere spheres[SPHERES];

__global__ void render(cudaSurfaceObject_t picture, cudaTextureObject_t sky, int width, int height, int* hits) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
    float nearest = 1e30f;
    int found = -1;
    for (int i = 0; i < SPHERES; ++i) {
        const float dx = u * 4.0f - 2.0f - spheres[i].centre.x, dy = v * 4.0f - 2.0f - spheres[i].centre.y;
        const float inside = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy;
        if (inside <= 0.0f) continue;
        const float depth = spheres[i].centre.z - sqrtf(inside);
        if (depth < nearest) {
            nearest = depth;
            found = i;
        }
    }
    uchar4 colour;
    if (found < 0) {
        const float4 back = tex2D<float4>(sky, u * 3.0f, v * 3.0f);
        colour = make_uchar4(__float2uint_rn(back.x * 255.0f), __float2uint_rn(back.y * 255.0f), 128, 255);
    } else {
        colour = spheres[found].colour;
        const unsigned mask = __activemask();
        if (__ffs(mask) - 1 == int((threadIdx.y * blockDim.x + threadIdx.x) % 32)) atomicAdd(&hits[0], __popc(mask));
        atomicMin(&hits[1 + found], y);
    }
    surf2Dwrite(colour, picture, x * sizeof(uchar4), y);
}

__global__ void shrink(cudaTextureObject_t picture, uchar4* small, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float4 mean = tex2D<float4>(picture, 2 * x + 1.0f, 2 * y + 1.0f);
    small[y * width + x] = make_uchar4(mean.x * 255.0f + 0.5f, mean.y * 255.0f + 0.5f, mean.z * 255.0f + 0.5f, 255);
}

static cudaTextureObject_t texture(cudaArray_t array, bool normalised, cudaTextureAddressMode edge) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = edge;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    how.normalizedCoords = normalised;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    return object;
}

int main() {
    const int width = 1024, height = 768, side = 64;
    Random random(3);
    std::vector<Sphere> made(SPHERES);
    for (Sphere& item : made) {
        item.centre = make_float3(random.real() * 4 - 2, random.real() * 4 - 2, 2 + random.real());
        item.radius = 0.2f + 0.5f * random.real();
        item.colour = make_uchar4(random.next() % 256, random.next() % 256, random.next() % 256, 255);
    }
    CHECK(cudaMemcpyToSymbol(spheres, made.data(), sizeof(Sphere) * SPHERES));
    std::vector<uchar4> clouds(side * side);
    for (auto& item : clouds) item = make_uchar4(random.next() % 256, random.next() % 256, 128, 255);
    const auto format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t sky, picture;
    CHECK(cudaMallocArray(&sky, &format, side, side));
    CHECK(cudaMallocArray(&picture, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(sky, 0, 0, clouds.data(), side * 4, side * 4, side, cudaMemcpyHostToDevice));
    const auto background = texture(sky, true, cudaAddressModeWrap);
    const auto source = texture(picture, false, cudaAddressModeClamp);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = picture;
    cudaSurfaceObject_t target = 0;
    CHECK(cudaCreateSurfaceObject(&target, &resource));
    std::vector<int> hits(1 + SPHERES, height);
    hits[0] = 0;
    int* counts;
    uchar4* small;
    CHECK(cudaMalloc(&counts, hits.size() * sizeof(int)));
    CHECK(cudaMalloc(&small, width * height));
    CHECK(cudaMemcpy(counts, hits.data(), hits.size() * sizeof(int), cudaMemcpyHostToDevice));
    Elapsed elapsed;
    render<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(target, background, width, height, counts);
    shrink<<<dim3(width / 64, height / 16), dim3(32, 8)>>>(source, small, width / 2, height / 2);
    elapsed.print();
    std::vector<uchar4> image(width * height), half(width * height / 4);
    CHECK(cudaMemcpy2DFromArray(image.data(), width * 4, picture, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(half.data(), small, half.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hits.data(), counts, hits.size() * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0, expected = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double nearest = 1e30, margin = 1e30;
            int found = -1;
            for (int i = 0; i < SPHERES; ++i) {
                const double dx = (x + 0.5) / width * 4 - 2 - made[i].centre.x;
                const double dy = (y + 0.5) / height * 4 - 2 - made[i].centre.y;
                const double inside = double(made[i].radius) * made[i].radius - dx * dx - dy * dy;
                margin = fmin(margin, fabs(inside));
                if (inside <= 0) continue;
                const double depth = made[i].centre.z - sqrt(inside);
                margin = fmin(margin, fabs(depth - nearest));
                if (depth < nearest) nearest = depth, found = i;
            }
            const uchar4 got = image[y * width + x];
            expected += found >= 0;
            if (margin < 1e-4) continue;
            if (found >= 0) wrong += memcmp(&got, &made[found].colour, 4) != 0;
            else wrong += got.z != 128 || got.w != 255;
        }
    for (int y = 0; y < height / 2; ++y)
        for (int x = 0; x < width / 2; ++x) {
            const auto* at = &image[2 * y * width + 2 * x];
            const int sum = at[0].x + at[1].x + at[width].x + at[width + 1].x;
            wrong += abs(4 * half[y * width / 2 + x].x - sum) > 4;
        }
    digest("picture", image.data(), image.size() * 4);
    digest("rows", hits.data(), hits.size() * 4);
    return verdict(wrong == 0 && abs(expected - hits[0]) < 50, "spheres");
}
